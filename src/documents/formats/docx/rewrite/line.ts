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

/** Character styles that the rewritten document uses to tell the Markdown writer what a run is. */
export type RunKind = 'raw' | 'image' | 'label' | 'code';

/** Collects the content of one paragraph as few, plain runs, in the form that mammoth reads. */
export interface Line {
  text(text: string, marks: Marks): void;
  /** Text that goes into the Markdown as it is. */
  raw(markdown: string): void;
  image(alt: string): void;
  lineBreak(): void;
  note(kind: 'footnote' | 'endnote', id: string): void;
  symbol(node: XmlElement): void;
  /** What follows, up to `closeLink`, is a link with that relationship id. Links do not nest: an inner one is ignored. */
  openLink(id: string): void;
  closeLink(): void;
  /** Ends the paragraph: an open link is closed. */
  nodes(): XmlNode[];
  /** What was written so far as plain text; raw parts and symbols count as one character. */
  plain(): string;
  isEmpty(): boolean;
}

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
    // mammoth keeps spaces without being told to
    element('w:t', {}, [text]),
  ]);
}

function isBreak(node: XmlNode | undefined): boolean {
  return typeof node === 'object' && node.name === 'w:r' && child(node, 'w:br') !== undefined;
}

export function createLine(): Line {
  const all: XmlNode[] = [];
  let target = all;
  let linked: XmlElement | undefined;
  let pending = '';
  let pendingMarks: Marks = {};
  let pendingKey = '';
  let plain = '';
  let isEmpty = true;

  const flush = () => {
    if (pending !== '') target.push(run(pending, pendingMarks, pendingMarks.code ? 'code' : undefined));
    pending = '';
  };
  const add = (node: XmlElement, text: string) => {
    flush();
    target.push(node);
    plain += text;
    isEmpty = false;
  };
  const closeLink = () => {
    flush();
    if (linked !== undefined && linked.children.length > 0) all.push(linked);
    linked = undefined;
    target = all;
  };
  return {
    text(text, marks) {
      const key = `${marks.bold}${marks.italic}${marks.strike}${marks.vertical}${marks.code}`;
      if (key !== pendingKey) flush();
      pendingKey = key;
      pendingMarks = marks;
      pending += text;
      plain += text;
      if (text.trim() !== '') isEmpty = false;
    },
    raw: (markdown) => add(run(markdown, {}, 'raw'), '\ufffc'),
    image: (alt) => add(run(alt, {}, 'image'), ''),
    lineBreak() {
      // A break before all text only moves the paragraph down.
      if (isEmpty) return;
      flush();
      target.push(element('w:r', {}, [element('w:br')]));
      plain += '\n';
    },
    note: (kind, id) => add(element('w:r', {}, [element(`w:${kind}Reference`, { 'w:id': id })]), ''),
    symbol: (node) => add(element('w:r', {}, [node]), '\ufffc'),
    openLink(id) {
      if (linked !== undefined) return;
      flush();
      const last = all.at(-1);
      // Word cuts one link into several where its text was edited.
      if (typeof last === 'object' && last.name === 'w:hyperlink' && last.attributes.get('r:id') === id) {
        linked = last;
        target = linked.children;
        all.pop();
        return;
      }
      linked = element('w:hyperlink', { 'r:id': id });
      target = linked.children;
    },
    closeLink,
    nodes() {
      closeLink();
      while (isBreak(all.at(-1))) all.pop();
      return all;
    },
    plain: () => plain,
    isEmpty: () => isEmpty,
  };
}
