import { canonicalName, NAMESPACES } from './namespaces.ts';

export type XmlNode = XmlElement | string;

/**
 * An element of an Office part. Names carry the usual prefix of their namespace (`w:p`), whatever prefix the file uses;
 * attributes likewise (`w:val`).
 */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlNode[];
}

/** The text is not well-formed XML, or uses what no Office file needs (a DOCTYPE, absurd nesting). */
export class XmlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'XmlError';
  }
}

/** Word itself nests far less; every recursive walk over the tree, ours and mammoth's, fits the stack at this depth. */
const MAX_DEPTH = 250;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const NOTHING: ReadonlySet<string> = new Set();
const TAG_NAME = /[^\s/>=<]+/y;
const ATTRIBUTE = /\s*([^\s/>=<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot|apos));/gi;
const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML forbids are what this looks for
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
      ? String.fromCodePoint(code)
      : '';
  });
}

function clean(text: string): string {
  return decode(text).replace(FORBIDDEN, '');
}

type Scope = ReadonlyMap<string, string>;

/** Marks of Word's own bookkeeping, on nearly every element of a file and of no use to a reader. */
const BOOKKEEPING = /^w:rsid|^w14:(paraId|textId)$/;

interface RawTag {
  name: string;
  /** Keys and values in turn. */
  attributes: string[];
  scope: Scope;
  selfClosing: boolean;
  end: number;
}

/** Reads the tag whose name starts at `at`; namespace declarations open a new scope. */
function readTag(text: string, at: number, outer: Scope): RawTag {
  TAG_NAME.lastIndex = at;
  const name = TAG_NAME.exec(text)?.[0];
  if (name === undefined) throw new XmlError('A tag has no name.');
  let position = at + name.length;
  let scope = outer;
  const attributes: string[] = [];
  for (;;) {
    ATTRIBUTE.lastIndex = position;
    const match = ATTRIBUTE.exec(text);
    if (match === null) break;
    position = ATTRIBUTE.lastIndex;
    const key = match[1] ?? '';
    const value = match[2] ?? match[3] ?? '';
    if (key === 'xmlns' || key.startsWith('xmlns:')) {
      if (scope === outer) scope = new Map(outer);
      (scope as Map<string, string>).set(key.slice(6), NAMESPACES.get(value) ?? '?');
    } else if (!BOOKKEEPING.test(key)) {
      attributes.push(key, clean(value));
    }
  }
  TAG_END.lastIndex = position;
  const end = TAG_END.exec(text);
  if (end === null) throw new XmlError(`The tag ${name.slice(0, 40)} is not well formed.`);
  return { name, attributes, scope, selfClosing: end[1] === '/', end: TAG_END.lastIndex };
}

/** Where a comment, processing instruction or CDATA section that starts at `at` ends; a DOCTYPE is refused. */
function skipMarkup(text: string, at: number): { end: number; data: string } {
  const forms: [string, string, boolean][] = [
    ['<!--', '-->', false],
    ['<![CDATA[', ']]>', true],
    ['<?', '?>', false],
  ];
  for (const [open, close, isData] of forms) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    if (end === -1) throw new XmlError('A comment or instruction does not end.');
    return { end: end + close.length, data: isData ? text.slice(at + open.length, end) : '' };
  }
  // Entities can only be declared here, so that refusing it refuses every entity bomb and external entity.
  throw new XmlError('The XML has a document type declaration, which no Office file has.');
}

function attributeMap({ attributes, scope }: RawTag): ReadonlyMap<string, string> {
  if (attributes.length === 0) return NO_ATTRIBUTES;
  const map = new Map<string, string>();
  for (let index = 0; index < attributes.length; index += 2) {
    map.set(canonicalName(attributes[index] ?? '', scope, false), attributes[index + 1] ?? '');
  }
  return map;
}

function append(parent: XmlElement, text: string): void {
  if (text !== '') parent.children.push(text);
}

/**
 * Parses one part of an Office file. Entities are never declared or fetched; whitespace is kept.
 *
 * @param ignored names of elements that are left out of the tree, with all that is in them
 * @throws XmlError when the text is not well-formed
 */
export function parseXml(text: string, ignored: ReadonlySet<string> = NOTHING): XmlElement {
  const top: XmlElement = { name: '', attributes: NO_ATTRIBUTES, children: [] };
  const open: { element: XmlElement; rawName: string; scope: Scope }[] = [];
  /** Stands for every element that is left out. */
  const nowhere: XmlElement = { name: '', attributes: NO_ATTRIBUTES, children: [] };
  let current = top;
  let scope: Scope = new Map();
  let position = 0;
  for (;;) {
    const next = text.indexOf('<', position);
    if (next === -1) break;
    if (current !== top && current !== nowhere && next > position)
      append(current, clean(text.slice(position, next)));
    const follower = text[next + 1];
    if (follower === '!' || follower === '?') {
      const skipped = skipMarkup(text, next);
      if (current !== top && current !== nowhere) append(current, skipped.data.replace(FORBIDDEN, ''));
      position = skipped.end;
    } else if (follower === '/') {
      const end = text.indexOf('>', next);
      const closing = open.pop();
      if (end === -1 || closing === undefined || text.slice(next + 2, end).trim() !== closing.rawName) {
        throw new XmlError('An end tag does not match its start.');
      }
      const outer = open.at(-1);
      current = outer?.element ?? top;
      scope = outer?.scope ?? new Map();
      position = end + 1;
    } else {
      const tag = readTag(text, next + 1, scope);
      const name = canonicalName(tag.name, tag.scope, true);
      const isIgnored = current === nowhere || ignored.has(name);
      const element = isIgnored ? nowhere : { name, attributes: attributeMap(tag), children: [] };
      if (!isIgnored) current.children.push(element);
      position = tag.end;
      if (!tag.selfClosing) {
        if (open.length >= MAX_DEPTH) throw new XmlError('The XML is nested too deeply.');
        open.push({ element, rawName: tag.name, scope: tag.scope });
        current = element;
        scope = tag.scope;
      }
    }
  }
  const root = top.children.find((node) => typeof node !== 'string');
  if (open.length > 0 || root === undefined) throw new XmlError('The XML ends too early.');
  return root;
}
