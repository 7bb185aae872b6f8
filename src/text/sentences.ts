import { segmentStarts } from './segment-starts.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Where the sentences of `text.slice(start, end)` start (the first is `start`), by Unicode's rules (UAX 29), which hold
 * for every language. A line end inside a paragraph is white space, not the end of a sentence. The space before a
 * sentence belongs to it: that is how tokens are made, so counts add up.
 */
export function sentenceStarts(text: string, start: number, end: number): number[] {
  return segmentStarts(segmenter, text, { start, end, size: 1024 }).map((at) =>
    at - 1 > start && text.charAt(at - 1) === ' ' && text.charAt(at - 2).trim() !== '' ? at - 1 : at,
  );
}
