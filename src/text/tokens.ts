import { clearMergeCache, countTokens as countPiece } from 'gpt-tokenizer/encoding/o200k_base';
import { asciiPieceEnd } from './ascii-pieces.ts';

// Merging byte pairs takes time quadratic in the length of a piece ('a' x 1,000,000 would take minutes), so longer
// ones are counted in parts of this many characters.
const LONGEST_PIECE = 256;
// Short pieces come again and again. What they count is kept in a table of fixed size by a hash of their characters: no
// string is made to look one up, and no text is kept in memory. Two pieces are taken for one another once in 2^50.
const LONGEST_CACHED = 24;
const SLOTS = 1 << 17;
const tags = new Int32Array(SLOTS);
const counts = new Uint8Array(SLOTS);
// The tokenizer's own cache holds slices, and a slice holds its whole text in memory: it is emptied now and then.
const CLEAR_AFTER_CHARS = 8_000_000;
// Without it the tokenizer throws on a document that has `<|endoftext|>` in it.
const plainText = { disallowedSpecial: new Set<string>() };

let charsSinceClear = 0;

/**
 * Tokens of a text in the o200k vocabulary, a good stand-in for the vocabularies of the models in use. Any string will
 * do, and time is linear in its length. Exact, but for words and other runs of more than 256 characters: these are
 * counted in parts, which can add a token for each part.
 */
export function countTokens(text: string): number {
  charsSinceClear += text.length;
  if (charsSinceClear > CLEAR_AFTER_CHARS) {
    clearMergeCache();
    charsSinceClear = 0;
  }
  let total = 0;
  let at = 0;
  while (at < text.length) {
    const other = nextNonAscii(text, at);
    const asciiEnd = other === text.length ? other : wordBoundaryBefore(text, other, at);
    total += countAscii(text, at, asciiEnd);
    at = asciiEnd;
    if (at < text.length) {
      const end = wordBoundaryAfter(text, other);
      total += countAny(text, at, end);
      at = end;
    }
  }
  return total;
}

// The tokenizer's own splitting takes most of its time; doing it here for ASCII makes counting three times as fast.
function countAscii(text: string, start: number, end: number): number {
  let total = 0;
  for (let at = start; at < end; ) {
    const next = asciiPieceEnd(text, at, end);
    const length = next - at;
    if (length === 1) total++;
    else if (length <= LONGEST_CACHED) total += countCached(text, at, next);
    else total += countAny(text, at, next);
    at = next;
  }
  return total;
}

function countCached(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  let tag = end - start;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    hash = Math.imul(hash ^ code, 0x01000193);
    tag = Math.imul(tag ^ code, 0x5bd1e995) ^ (tag >>> 15);
  }
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  const known = counts[slot] ?? 0;
  if (known > 0 && tags[slot] === tag) return known;
  const count = countPiece(text.slice(start, end), plainText);
  tags[slot] = tag;
  counts[slot] = count;
  return count;
}

function countAny(text: string, start: number, end: number): number {
  let total = 0;
  let from = start;
  let runStart = start;
  let inSpace = false;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const space = code === 32 || (code >= 9 && code <= 13);
    if (space !== inSpace) {
      inSpace = space;
      runStart = i;
    } else if (i - runStart >= LONGEST_PIECE && (code & 0xfc00) !== 0xdc00) {
      total += countPiece(text.slice(from, i), plainText);
      from = i;
      runStart = i;
    }
  }
  return total + countPiece(text.slice(from, end), plainText);
}

function nextNonAscii(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) < 128) at++;
  return at;
}

// No token has a space in it but at its start, unless it is white space altogether: a space behind anything else is
// where a token starts.
function isWordBoundary(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return text.charCodeAt(at) === 32 && before > 32 && before < 127;
}

function wordBoundaryBefore(text: string, from: number, least: number): number {
  let at = from;
  while (at > least && !isWordBoundary(text, at)) at--;
  return at;
}

function wordBoundaryAfter(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && !isWordBoundary(text, at)) at++;
  return Math.min(at, text.length);
}
