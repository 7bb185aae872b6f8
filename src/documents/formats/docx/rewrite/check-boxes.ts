import { elements, findAll, ownText } from '../package/dom.ts';
import type { XmlElement, XmlNode } from '../package/xml.ts';
import { type BoxMark, run } from './line.ts';

const CHARACTERS: ReadonlyMap<string, BoxMark> = new Map([
  ['☐', '[ ]'],
  ['☑', '[x]'],
  ['☒', '[x]'],
]);

/** Boxes among the signs of the symbol fonts, by the last two digits of their codes: Word offers them for forms. */
const SYMBOLS: Readonly<Record<string, ReadonlyMap<string, BoxMark>>> = {
  wingdings: new Map([
    ['6F', '[ ]'],
    ['A8', '[ ]'],
    ['FD', '[x]'],
    ['FE', '[x]'],
  ]),
  'wingdings 2': new Map([
    ['A3', '[ ]'],
    ['52', '[x]'],
    ['53', '[x]'],
    ['54', '[x]'],
  ]),
};

/** A check box among the signs of a symbol font. */
export function symbolBox(font: string | undefined, code: string | undefined): BoxMark | undefined {
  return SYMBOLS[font?.toLowerCase() ?? '']?.get((code ?? '').slice(-2).toUpperCase());
}

/** The check box that a list has for its bullet. */
export function bulletBox(text: string, font: string | undefined): BoxMark | undefined {
  const sign = text.trim();
  if (sign.length !== 1) return undefined;
  return CHARACTERS.get(sign) ?? symbolBox(font, sign.charCodeAt(0).toString(16));
}

/** A text cut at the check boxes in it. */
export function boxRuns(text: string): (string | { mark: BoxMark; sign: string })[] {
  return text
    .split(/([☐☑☒])\ufe0f?/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const mark = CHARACTERS.get(piece);
      return mark === undefined ? piece : { mark, sign: piece };
    });
}

/** What `Line.box` writes. */
interface BoxElement extends XmlElement {
  name: 'box';
}

function isBox(node: XmlNode | undefined): node is BoxElement {
  return typeof node === 'object' && node.name === 'box';
}

/** What is shown where a box is no task's: its sign; a control has none, and is written as a task's. */
function shown(node: XmlNode): XmlNode[] {
  if (typeof node === 'string') return [node];
  if (!isBox(node)) return [{ ...node, children: node.children.flatMap(shown) }];
  return node.children.length > 0 ? node.children : [markRun(node)];
}

function markRun(box: BoxElement): XmlElement {
  return run(box.attributes.get('mark') ?? '', {}, 'raw');
}

function isBlank(node: XmlNode): boolean {
  if (typeof node === 'string') return node.trim() === '';
  return node.name === 'w:r' && elements(node).every((part) => part.name === 'w:rPr' || isBlankText(part));
}

function isBlankText(part: XmlElement): boolean {
  return part.name === 'w:t' && ownText(part).trim() === '';
}

/** Takes the white space away that a paragraph's text begins with. */
function trimmed(content: readonly XmlNode[]): XmlNode[] {
  const start = content.findIndex((node) => !isBlank(node));
  const [first, ...rest] = start === -1 ? [] : content.slice(start);
  if (typeof first === 'object') {
    for (const text of findAll(first, 'w:t').slice(0, 1)) text.children = [ownText(text).trimStart()];
  }
  return first === undefined ? [] : [first, ...rest];
}

/**
 * Settles what becomes of the boxes in a paragraph. One that begins with a box is a task, or a line of several choices: its boxes
 * are written as GFM writes those of tasks. Elsewhere a box is a sign like others.
 *
 * @param bullet the box that stands in front of the paragraph as its bullet
 */
export function settleBoxes(
  content: readonly XmlNode[],
  bullet?: BoxMark,
): { content: XmlNode[]; isTask: boolean } {
  const start = content.findIndex((node) => !isBlank(node));
  const first = content[start];
  if (!isBox(first) && bullet === undefined) return { content: content.flatMap(shown), isTask: false };
  const boxes = content.filter(isBox).length;
  const text = trimmed(content.slice(isBox(first) ? start + 1 : 0)).flatMap((node) =>
    isBox(node) ? [markRun(node)] : shown(node),
  );
  const lead = isBox(first) ? markRun(first) : run(bullet ?? '', {}, 'raw');
  if (text.length === 0) return { content: [lead], isTask: false };
  return { content: [lead, run(' '), ...text], isTask: boxes <= 1 };
}
