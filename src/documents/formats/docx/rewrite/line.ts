import { child, element } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';

/** How a stretch of text is set. */
export interface Marks {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  vertical?: 'superscript' | 'subscript';
  code?: boolean;
}

/** A check box as GFM writes it. */
export type BoxMark = '[ ]' | '[x]';

/** Character styles that the rewritten document uses to tell the Markdown writer what a run is. */
export type RunKind = 'raw' | 'image' | 'label' | 'code';

function runProperties(marks: Marks, kind?: RunKind): XmlElement[] {
  const found: XmlElement[] = [];
  if (kind !== undefined) found.push(element('w:rStyle', { 'w:val': kind }));
  if (marks.bold) found.push(element('w:b'));
  if (marks.italic) found.push(element('w:i'));
  if (marks.strike) found.push(element('w:strike'));
  if (marks.vertical !== undefined) found.push(element('w:vertAlign', { 'w:val': marks.vertical }));
  return found.length === 0 ? [] : [element('w:rPr', {}, found)];
}

/** A run of the rewritten document. */
export function run(text: string, marks: Marks = {}, kind?: RunKind): XmlElement {
  return element('w:r', {}, [
    ...runProperties(marks, kind),
    // Mammoth keeps spaces without being told to.
    element('w:t', {}, [text]),
  ]);
}

function isBreak(node: XmlNode | undefined): boolean {
  return typeof node === 'object' && node.name === 'w:r' && child(node, 'w:br') !== undefined;
}

const keyOf = ({ bold, italic, strike, vertical, code }: Marks): string =>
  `${bold}${italic}${strike}${vertical}${code}`;

/** Collects the content of one paragraph as few, plain runs, in the form that mammoth reads. */
export class Line {
  private readonly all: XmlNode[] = [];
  /** Where runs go: into the line, or into the link that is open. */
  private target = this.all;
  private link: XmlElement | undefined;
  /** Text that is not a run yet, since more of the same marks may follow. */
  private pending = '';
  private marks: Marks = {};
  private marksKey = '';
  private written = '';
  private hasContent = false;

  /** What was written so far as plain text; raw parts and symbols count as one character. */
  get plain(): string {
    return this.written;
  }

  get isEmpty(): boolean {
    return !this.hasContent;
  }

  text(text: string, marks: Marks): void {
    const key = keyOf(marks);
    if (key !== this.marksKey) this.flush();
    this.marksKey = key;
    this.marks = marks;
    this.pending += text;
    this.written += text;
    if (text.trim() !== '') this.hasContent = true;
  }

  /** Text that goes into the Markdown as it is. */
  raw(markdown: string): void {
    this.add(run(markdown, {}, 'raw'), '\ufffc');
  }

  /** A check box, and how it was shown; what becomes of it is settled when the paragraph is complete. */
  box(mark: BoxMark, shown?: XmlElement): void {
    this.add(element('box', { mark }, shown === undefined ? [] : [shown]), '\ufffc');
  }

  image(alt: string): void {
    this.add(run(alt, {}, 'image'), '');
  }

  lineBreak(): void {
    // A break before all text only moves the paragraph down.
    if (this.isEmpty) return;
    this.add(element('w:r', {}, [element('w:br')]), '\n');
  }

  note(kind: 'footnote' | 'endnote', id: string): void {
    this.add(element('w:r', {}, [element(`w:${kind}Reference`, { 'w:id': id })]), '');
  }

  symbol(node: XmlElement): void {
    this.add(element('w:r', {}, [node]), '\ufffc');
  }

  /** What follows, up to `closeLink`, is a link with that relationship id. Links do not nest: an inner one is ignored. */
  openLink(id: string): void {
    if (this.link !== undefined) return;
    this.flush();
    const last = this.all.at(-1);
    // Word cuts one link into several where its text was edited.
    const goesOn =
      typeof last === 'object' && last.name === 'w:hyperlink' && last.attributes.get('r:id') === id;
    if (goesOn) this.all.pop();
    this.link = goesOn ? last : element('w:hyperlink', { 'r:id': id });
    this.target = this.link.children;
  }

  closeLink(): void {
    this.flush();
    if (this.link !== undefined && this.link.children.length > 0) this.all.push(this.link);
    this.link = undefined;
    this.target = this.all;
  }

  /** Ends the paragraph: an open link is closed. */
  nodes(): XmlNode[] {
    this.closeLink();
    while (isBreak(this.all.at(-1))) this.all.pop();
    return this.all;
  }

  private add(node: XmlElement, text: string): void {
    this.flush();
    this.target.push(node);
    this.written += text;
    this.hasContent = true;
  }

  private flush(): void {
    if (this.pending !== '') {
      this.target.push(run(this.pending, this.marks, this.marks.code ? 'code' : undefined));
    }
    this.pending = '';
  }
}
