import { within } from '../to-markdown/html-node.ts';
import { countLetters } from '../to-markdown/letters.ts';
import type { Tally } from '../to-markdown/tally.ts';
import { LineBuilder } from './line-builder.ts';
import type { Leave } from './parse.ts';
import { SimpleNode } from './simple-node.ts';

/** Blocks within blocks: far more than people write, and few enough for what reads the Markdown. */
const DEEPEST = 24;

const LINK = new Set(['A']);

const LISTS = new Set(['UL', 'OL']);

/** Builds the simplified page from the outside in: blocks that are opened and closed, with lines in them. */
export class PageBuilder {
  readonly root = SimpleNode.element('BODY');
  readonly line: LineBuilder;
  readonly #tally: Tally;
  /** The blocks that are open; each takes its place when it is closed. */
  readonly #open: SimpleNode[] = [this.root];
  /** Pieces of the text of the code block that is open. */
  #code: string[] | undefined;

  constructor(tally: Tally) {
    this.#tally = tally;
    this.line = new LineBuilder((line) => {
      // A quoted heading is none of this document's.
      if (line.nodeName !== 'P' && !this.isIn('BLOCKQUOTE')) tally.source.headings += 1;
      for (const link of within(line, LINK)) if (link.textContent?.trim() !== '') tally.source.links += 1;
      this.#home().append(line);
    });
  }

  /** The innermost block that is open. */
  get container(): SimpleNode {
    return this.#open.at(-1) ?? this.root;
  }

  /** Whether all text belongs to a code block. */
  get isCode(): boolean {
    return this.#code !== undefined;
  }

  /** Whether a block of that name is open. */
  isIn(name: string): boolean {
    return this.#open.some((block) => block.nodeName === name);
  }

  text(value: string): void {
    this.#tally.letters += countLetters(value);
    if (this.#code === undefined) this.line.text(value);
    else this.#code.push(value);
  }

  image(alternative: string): void {
    this.#tally.letters += countLetters(alternative);
    if (this.#code === undefined) this.line.image(alternative);
    else if (alternative !== '') this.#code.push(alternative);
  }

  break(): void {
    if (this.#code === undefined) this.line.break();
    else this.#code.push('\n');
  }

  /** Between two blocks. */
  endLine(): void {
    if (this.#code === undefined) this.line.end();
    else if (this.#code.at(-1)?.endsWith('\n') === false) this.#code.push('\n');
  }

  /** In code and in headings nothing begins but lines, and in a heading not even these. */
  get #isPlain(): boolean {
    return this.isCode || this.line.isHeading;
  }

  heading(level: number): Leave {
    this.endLine();
    if (this.#isPlain) return () => this.endLine();
    this.line.kind = `H${level}`;
    return () => {
      this.line.close();
      this.line.kind = 'P';
    };
  }

  code(language: string): Leave {
    this.endLine();
    if (this.#isPlain) return () => this.endLine();
    this.line.close();
    const pieces: string[] = [];
    this.#code = pieces;
    return () => {
      this.#code = undefined;
      const text = pieces.join('').replace(/^(?:[ \t]*\n)+/, '');
      if (text.trim() === '') return;
      const block = SimpleNode.element('PRE', { language });
      block.append(SimpleNode.text(text));
      this.#home().append(block);
    };
  }

  rule(): void {
    this.endLine();
    if (this.container === this.root && this.root.lastChild !== null)
      this.root.append(SimpleNode.element('HR'));
  }

  /**
   * Opens a block. Where blocks nest too deeply, or within a heading, its content goes into what it stands in.
   *
   * @param finish called with the closed block; says whether it is kept, by default when anything is in it
   */
  block(
    name: string,
    finish: (block: SimpleNode) => boolean = isFilled,
    attributes?: Record<string, string>,
  ): Leave {
    this.endLine();
    if (this.#isPlain || this.#open.length > DEEPEST) return () => this.endLine();
    const block = SimpleNode.element(name, attributes);
    const leave = this.reopen(block);
    return () => {
      leave();
      if (finish(block)) (name === 'LI' ? this.container : this.#home()).append(block);
    };
  }

  /** Goes back into a block that was closed, or below the one that is open. */
  reopen(block: SimpleNode): Leave {
    this.line.close();
    this.#open.push(block);
    return () => {
      this.line.close();
      this.#open.pop();
    };
  }

  /** Where a table's caption goes: in front of the table, which takes its place only later. */
  get aroundTable(): SimpleNode {
    return this.#open.at(-2) ?? this.root;
  }

  /** Blocks and lines stand in items; what stands in a list itself belongs to the item before. */
  #home(): SimpleNode {
    const { container } = this;
    if (!LISTS.has(container.nodeName)) return container;
    if (container.lastChild === null) {
      container.append(SimpleNode.element('LI'));
      this.#tally.source.list_items += 1;
    }
    return container.lastChild ?? container;
  }
}

export const isFilled = (block: SimpleNode): boolean => block.lastChild !== null;
