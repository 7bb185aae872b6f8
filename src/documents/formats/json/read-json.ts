import type { TreeBuilder } from '../structured/tree-builder.ts';

const QUOTE = 34;
const COMMA = 44;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;

/**
 * Reads a JSON text without calling itself for each level, which every parser with positions does: 100,000 opening
 * brackets are nothing special. Comments and trailing commas are taken as they come, broken JSON as far as it makes
 * sense: what is no key and no value is passed over, what is not closed ends with the text.
 *
 * @returns whether there was nothing to pass over
 */
export function readJson(text: string, tree: TreeBuilder): boolean {
  const open = { braces: 0, brackets: 0 };
  const closing: boolean[] = [];
  let isSound = true;
  /** A key that no value follows has null. */
  const endMember = (at: number): void => {
    if (!tree.hasKey()) return;
    isSound = false;
    tree.scalar('', true, at, at);
  };
  const close = (end: number): void => {
    endMember(end);
    if (closing.pop()) open.braces--;
    else open.brackets--;
    tree.close(end);
  };
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code <= 32) {
      at++;
    } else if (code === 123 || code === 91) {
      if (tree.isInObject() && !tree.hasKey()) {
        isSound = false;
        tree.key('', at);
      }
      tree.open(code === 123, at);
      closing.push(code === 123);
      if (code === 123) open.braces++;
      else open.brackets++;
      at++;
    } else if (code === 125 || code === 93) {
      const isObject = code === 125;
      at++;
      if ((isObject ? open.braces : open.brackets) === 0) {
        isSound = false;
        continue;
      }
      while (closing[closing.length - 1] !== isObject) {
        isSound = false;
        close(at - 1);
      }
      close(at);
    } else if (code === COMMA) {
      endMember(at);
      at++;
    } else if (code === COLON) {
      at++;
    } else if (code === SLASH) {
      const end = commentEnd(text, at);
      isSound &&= end > at + 1;
      at = end;
    } else {
      const end = code === QUOTE ? stringEnd(text, at) : wordEnd(text, at);
      const isString = code === QUOTE;
      const raw = text.slice(at, end);
      const word = isString ? unquoted(raw) : raw;
      if (tree.isInObject() && !tree.hasKey()) {
        tree.key(word, at);
        isSound &&= isString;
      } else {
        isSound &&= isString || isLiteral(raw);
        tree.scalar(word, !isString, at, end);
      }
      at = end;
    }
  }
  isSound &&= closing.length === 0;
  while (closing.length > 0) close(text.length);
  return isSound;
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
