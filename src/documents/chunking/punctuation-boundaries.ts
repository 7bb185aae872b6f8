// Unicode's rules see no end before a small letter or a digit, and take a line end for a space.
const BOUNDARY = /(?:[.!?。！？]["'”’)\]]*[^\S\r\n]|\r\n|[\r\n])\s*/g;

/**
 * Where something starts anew in `text.slice(start, end)`, which is too long to be a sentence: by punctuation and lines
 * alone, after a full stop, a question or an exclamation mark and a space, and after a line. The first is `start`.
 */
export function punctuationBoundaries(text: string, start: number, end: number): number[] {
  const starts = [start];
  for (const match of text.slice(start, end).matchAll(BOUNDARY)) {
    const at = start + match.index + match[0].length;
    if (at < end) starts.push(at);
  }
  return starts;
}
