import { fingerprint } from '../../text/fingerprint.ts';
import { segmentStarts } from '../../text/segment-starts.ts';
import { splitPoints } from './split-points.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
// What has no spaces (Chinese, base64) is split at words by Unicode's rules, and where there are none, anywhere.
const LONGEST_WORD = 64;

/**
 * Splits a stretch that is too long for a leaf (a sentence or a line of thousands of words) at words, best where a line
 * starts, and returns where the parts start. They have `size` to three times `size` characters.
 */
export function wordSplits(text: string, start: number, end: number, size: number): number[] {
  const starts = wordStarts(text, start, end, Math.max(2, Math.min(LONGEST_WORD, size)));
  const items = starts.map((at, i) => ({
    size: (starts[i + 1] ?? end) - at,
    prefixSize: 0,
    strength: /^[ \t]*[\r\n]/.test(text.slice(at, at + 8)) ? 2 : 1,
    fingerprint: fingerprint(text, at, starts[i + 1] ?? end),
  }));
  const limits = { min: size, target: size * 2, max: size * 3, hardMax: size * 3 };
  return splitPoints(items, limits).map((index) => starts[index] ?? start);
}

/** A word's start is that of the space before it. */
function wordStarts(text: string, start: number, end: number, longest: number): number[] {
  const starts: number[] = [];
  const words = /\s*\S+/g;
  const view = text.slice(start, end);
  for (let match = words.exec(view); match; match = words.exec(view)) {
    const from = starts.length === 0 ? start : start + match.index;
    const to = start + words.lastIndex;
    if (to - from <= longest) starts.push(from);
    else
      for (const at of segmentStarts(segmenter, text, { start: from, end: to, size: 128 })) starts.push(at);
  }
  return starts.flatMap((at, i) => shortParts(text, at, starts[i + 1] ?? end, longest));
}

function shortParts(text: string, start: number, end: number, longest: number): number[] {
  const starts = [start];
  for (let at = start + longest; at < end; at += longest) {
    // Not between the halves of a character.
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) at++;
    if (at < end) starts.push(at);
  }
  return starts;
}
