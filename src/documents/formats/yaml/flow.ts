import type { TreeBuilder } from '../structured/tree-builder.ts';
import {
  APOSTROPHE,
  behindBreak,
  COLON,
  DASH,
  HASH,
  isEnd,
  isGap,
  isMarker,
  QUOTE,
  skipSpaces,
  startsPlain,
  TAB,
} from './chars.ts';
import { type ReadScalar, readQuoted } from './scalars.ts';

const DEEPEST = 100;

/**
 * Reads a flow collection (`{a: 1, b: [..]}`, JSON), whose further lines are indented more than `indent`: quoted and
 * plain scalars, keys with values, no comments, anchors, tags or complex keys.
 *
 * @param from where the opening bracket stands
 * @param start where its element starts
 * @returns the offset behind the closing bracket, or -1 for what needs the whole parser; the tree is unusable then
 */
export function readFlow(
  text: string,
  from: number,
  indent: number,
  start: number,
  tree: TreeBuilder,
): number {
  const closing: number[] = [];
  let at = from;
  // Whether a value, or a key, may come next: it may behind a bracket or a comma.
  let isOpen = true;
  do {
    at = skipGap(text, at, indent);
    if (at === -1) return -1;
    const code = text.charCodeAt(at);
    if (code === 93 || code === 125) {
      if (closing.pop() !== code || tree.hasKey) return -1;
      at++;
      tree.closeCollection(at);
      isOpen = false;
    } else if (code === 44) {
      if (isOpen || tree.hasKey) return -1;
      isOpen = true;
      at++;
    } else if (!isOpen) {
      return -1;
    } else if (tree.isInObject && !tree.hasKey && closing.length > 0) {
      const key = readKey(text, at, indent);
      if (!key) return -1;
      tree.key(key.value, at);
      at = key.next;
    } else if (code === 91 || code === 123) {
      if (closing.length >= DEEPEST) return -1;
      tree.openCollection(code === 123, closing.length === 0 ? start : at);
      closing.push(code + 2);
      at++;
    } else {
      const scalar = readFlowScalar(text, at, indent);
      if (!scalar || text.charCodeAt(scalar.end) === COLON) return -1;
      tree.scalar(scalar.value, code !== QUOTE && code !== APOSTROPHE, at, scalar.end);
      at = scalar.next;
      isOpen = false;
    }
  } while (closing.length > 0);
  return at;
}

function readFlowScalar(text: string, at: number, indent: number): ReadScalar | undefined {
  const code = text.charCodeAt(at);
  if (code === QUOTE || code === APOSTROPHE) return readQuoted(text, at, indent);
  if (!startsPlain(text, at) || (code === DASH && isFlowIndicator(text.charCodeAt(at + 1)))) return undefined;
  let end = at;
  let i = at;
  for (; !isEnd(text, i); i++) {
    const char = text.charCodeAt(i);
    if (isFlowIndicator(char)) break;
    if (char === COLON && (isGap(text, i + 1) || isFlowIndicator(text.charCodeAt(i + 1)))) break;
    if (char === HASH && isGap(text, i - 1)) return undefined;
    if (!isGap(text, i)) end = i + 1;
  }
  return end === at ? undefined : { value: text.slice(at, end), end, next: i };
}

/** A key and the colon behind it. */
function readKey(text: string, at: number, indent: number): ReadScalar | undefined {
  const key = readFlowScalar(text, at, indent);
  if (!key) return undefined;
  const colon = skipSpaces(text, key.next);
  if (text.charCodeAt(colon) !== COLON) return undefined;
  const isQuoted = text.charCodeAt(at) === QUOTE || text.charCodeAt(at) === APOSTROPHE;
  return isQuoted || isGap(text, colon + 1) ? { ...key, next: colon + 1 } : undefined;
}

/** Behind spaces and line ends; -1 where a line is not indented enough or there is more to it. */
function skipGap(text: string, from: number, indent: number): number {
  let at = skipSpaces(text, from);
  while (at < text.length && isEnd(text, at)) {
    const line = behindBreak(text, at);
    at = skipSpaces(text, line);
    if (!isEnd(text, at) && (at - line <= indent || (at === line && isMarker(text, at)))) return -1;
  }
  return at >= text.length || text.charCodeAt(at) === TAB ? -1 : at;
}

const isFlowIndicator = (code: number): boolean =>
  code === 44 || code === 91 || code === 93 || code === 123 || code === 125;
