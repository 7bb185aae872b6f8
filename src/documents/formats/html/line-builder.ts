import { SimpleNode } from './simple-node.ts';

/** Formatting that is open: an element that what follows stands in, until it is closed. */
interface Mark {
  name: string;
  attributes: Readonly<Record<string, string>> | undefined;
  /** A link around several blocks is written in the first of them only. */
  isSpent: boolean;
}

/** What cannot be seen, and would part words for a search: soft hyphens, joiners, marks of byte order. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;
const SPACES = /\s{2,}|[\t\n\v\f\r\u2028\u2029]/g;

/** Elements that stand once for each time that they occur. */
const APART = new Set(['A', 'SUP', 'SUB']);

/**
 * Builds lines: paragraphs, headings. White space comes together as in a browser, formatting is spread over the lines
 * that it reaches over, and a line without anything in it does not come to be.
 */
export class LineBuilder {
  readonly #marks: Mark[] = [];
  #line: SimpleNode | undefined;
  /** The elements of the line for the first of the marks. */
  #path: SimpleNode[] = [];
  #lastText: SimpleNode | undefined;
  #endsInSpace = true;
  #breaks = 0;
  #isBoxOnly = false;
  readonly #finish: (line: SimpleNode) => void;
  /** What a line is: `P`, `H1`. */
  kind = 'P';

  constructor(finish: (line: SimpleNode) => void) {
    this.#finish = finish;
  }

  /** The line is part of a text in which nothing ends a line. */
  get isHeading(): boolean {
    return this.kind !== 'P';
  }

  text(value: string): void {
    let text = value.replace(INVISIBLE, '').replace(SPACES, ' ');
    if (this.#endsInSpace || this.#breaks > 0) text = text.replace(/^ /, '');
    if (text === '') return;
    const place = this.#place();
    const last = place.lastChild;
    if (last !== null && last.nodeValue !== null) {
      last.nodeValue += text;
      this.#lastText = last;
    } else {
      this.#lastText = SimpleNode.text(text);
      place.append(this.#lastText);
    }
    this.#endsInSpace = text.endsWith(' ');
  }

  /** A box to tick, which stands in front of the text that follows even where that is a paragraph of its own. */
  box(isTicked: boolean): void {
    const isFirst = this.#line === undefined;
    this.text(isTicked ? '[x] ' : '[ ] ');
    this.#isBoxOnly = isFirst;
  }

  image(alternative: string): void {
    if (this.#isCode()) {
      this.text(alternative);
      return;
    }
    this.#place().append(SimpleNode.span('image', alternative.replace(/\s+/g, ' ').trim()));
    this.#lastText = undefined;
    this.#endsInSpace = false;
  }

  /** Two breaks after each other end the line, as one that stands at an end of it means nothing. */
  break(): void {
    if (this.isHeading || this.#isCode()) this.text(' ');
    else if (this.#line !== undefined) this.#breaks += 1;
  }

  /** Between two blocks: ends the line, but for a heading. */
  end(): void {
    if (this.isHeading) this.text(' ');
    else if (!this.#isBoxOnly) this.close();
  }

  close(): void {
    const line = this.#line;
    if (line === undefined) return;
    this.#trimEnd();
    for (const mark of this.#marks.slice(0, this.#path.length)) mark.isSpent ||= mark.name === 'A';
    this.#line = undefined;
    this.#path = [];
    this.#lastText = undefined;
    this.#endsInSpace = true;
    this.#breaks = 0;
    this.#isBoxOnly = false;
    if (hasContent(line)) this.#finish(line);
  }

  /** Opens formatting; undefined where it would change nothing. Within code there are links, which then stand around it. */
  mark(name: string, attributes?: Readonly<Record<string, string>>): (() => void) | undefined {
    if ((this.#isCode() && name !== 'A') || this.#marks.some((mark) => mark.name === name)) return undefined;
    const mark = { name, attributes, isSpent: false };
    const at = this.#marks.length - (this.#isCode() ? 1 : 0);
    this.#marks.splice(at, 0, mark);
    this.#path.length = Math.min(this.#path.length, at);
    return () => {
      this.#marks.splice(at, 1);
      this.#path.length = Math.min(this.#path.length, at);
    };
  }

  #isCode(): boolean {
    return this.#marks.at(-1)?.name === 'CODE';
  }

  /** The element that comes next in the line goes in here. */
  #place(): SimpleNode {
    if (this.#breaks > 1) this.close();
    this.#isBoxOnly = false;
    this.#line ??= SimpleNode.element(this.kind);
    if (this.#breaks === 1) {
      this.#trimEnd();
      this.#inner().append(SimpleNode.element('BR'));
      this.#endsInSpace = true;
      this.#breaks = 0;
    }
    for (const mark of this.#marks.slice(this.#path.length)) {
      this.#path.push(mark.isSpent ? this.#inner() : wrapper(this.#inner(), mark));
    }
    return this.#inner();
  }

  #trimEnd(): void {
    if (this.#endsInSpace && this.#lastText?.nodeValue) {
      this.#lastText.nodeValue = this.#lastText.nodeValue.trimEnd();
    }
  }

  #inner(): SimpleNode {
    return this.#path.at(-1) ?? this.#line ?? SimpleNode.element(this.kind);
  }
}

function wrapper(parent: SimpleNode, { name, attributes }: Mark): SimpleNode {
  const last = parent.lastChild;
  // Bold text next to bold text is one.
  if (last?.nodeName === name && !APART.has(name)) return last;
  const element = SimpleNode.element(name, attributes);
  parent.append(element);
  return element;
}

/** Whether there is anything to see. */
function hasContent(node: SimpleNode): boolean {
  if (node.nodeValue !== null) return node.nodeValue.trim() !== '';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeName === 'SPAN' || hasContent(child)) return true;
  }
  return false;
}
