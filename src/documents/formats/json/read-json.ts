import type { TreeBuilder } from '../structured/tree-builder.ts';

const QUOTE = 34;
const COMMA = 44;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;

interface Reading {
  text: string;
  tree: TreeBuilder;
  at: number;
  /** Nothing had to be passed over or made up so far. */
  isSound: boolean;
  /** What is open, the innermost last: an object where it is true, otherwise an array. */
  open: boolean[];
  objects: number;
  arrays: number;
}

/**
 * Reads a JSON text without calling itself for each level, which every parser with positions does: 100,000 opening
 * brackets are nothing special. Comments and trailing commas are taken as they come, broken JSON as far as it makes
 * sense: what is no key and no value is passed over, what is not closed ends with the text.
 *
 * @returns whether there was nothing to pass over
 */
export function readJson(text: string, tree: TreeBuilder): boolean {
  const at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const reading: Reading = { text, tree, at, isSound: true, open: [], objects: 0, arrays: 0 };
  while (reading.at < text.length) readNext(reading);
  reading.isSound &&= reading.open.length === 0;
  while (reading.open.length > 0) close(reading, text.length);
  return reading.isSound;
}

function readNext(reading: Reading): void {
  const { text, at } = reading;
  const code = text.charCodeAt(at);
  if (code <= 32 || code === COLON) {
    reading.at++;
  } else if (code === 123 || code === 91) {
    readOpening(reading, code === 123);
  } else if (code === 125 || code === 93) {
    readClosing(reading, code === 125);
  } else if (code === COMMA) {
    endMember(reading, at);
    reading.at++;
  } else if (code === SLASH) {
    reading.at = commentEnd(text, at);
    reading.isSound &&= reading.at > at + 1;
  } else {
    readScalar(reading, code === QUOTE);
  }
}

function readOpening(reading: Reading, isObject: boolean): void {
  const { tree, at } = reading;
  if (tree.isInObject && !tree.hasKey) {
    reading.isSound = false;
    tree.key('', at);
  }
  tree.openCollection(isObject, at);
  reading.open.push(isObject);
  if (isObject) reading.objects++;
  else reading.arrays++;
  reading.at++;
}

/** Closes what is open inside as well; a bracket that closes nothing is passed over. */
function readClosing(reading: Reading, isObject: boolean): void {
  const { open, at } = reading;
  reading.at++;
  if ((isObject ? reading.objects : reading.arrays) === 0) {
    reading.isSound = false;
    return;
  }
  while (open[open.length - 1] !== isObject) {
    reading.isSound = false;
    close(reading, at);
  }
  close(reading, at + 1);
}

function close(reading: Reading, end: number): void {
  endMember(reading, end);
  if (reading.open.pop()) reading.objects--;
  else reading.arrays--;
  reading.tree.closeCollection(end);
}

/** A key that no value follows has null. */
function endMember(reading: Reading, at: number): void {
  if (!reading.tree.hasKey) return;
  reading.isSound = false;
  reading.tree.scalar('', true, at, at);
}

/** A string, a number, a literal or whatever else stands there: a key where an object waits for one. */
function readScalar(reading: Reading, isString: boolean): void {
  const { text, tree, at } = reading;
  const end = isString ? stringEnd(text, at) : wordEnd(text, at);
  const raw = text.slice(at, end);
  const value = isString ? unquoted(raw) : raw;
  if (tree.isInObject && !tree.hasKey) {
    tree.key(value, at);
    reading.isSound &&= isString;
  } else {
    reading.isSound &&= isString || isLiteral(raw);
    tree.scalar(value, !isString, at, end);
  }
  reading.at = end;
}

/** Behind the closing quote of the string that starts at `at`; an unclosed one ends with its line. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i + 1;
    else if (code === 10 || code === 13) return i;
  }
  return text.length;
}

/** Behind a number, a literal or whatever else stands there. */
function wordEnd(text: string, at: number): number {
  let i = at + 1;
  while (i < text.length && !isDelimiter(text.charCodeAt(i))) i++;
  return i;
}

const isDelimiter = (code: number): boolean =>
  code <= 32 ||
  code === COMMA ||
  code === COLON ||
  code === QUOTE ||
  code === 123 ||
  code === 125 ||
  code === 91 ||
  code === 93;

function commentEnd(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (next === 42) {
    const end = text.indexOf('*/', at + 2);
    return end === -1 ? text.length : end + 2;
  }
  if (next !== SLASH) return at + 1;
  let i = at + 2;
  while (i < text.length && text.charCodeAt(i) !== 10 && text.charCodeAt(i) !== 13) i++;
  return i;
}

function unquoted(raw: string): string {
  const inner = raw.slice(1, raw.length > 1 && raw.endsWith('"') ? -1 : undefined);
  if (!inner.includes('\\')) return inner;
  try {
    return String(JSON.parse(raw));
  } catch {
    return inner;
  }
}

const isLiteral = (raw: string): boolean =>
  raw === 'true' ||
  raw === 'false' ||
  raw === 'null' ||
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(raw);
