import { countTokens } from './tokens.ts';

// A step inside a line: a word, or a part of one in scripts without spaces.
const STEP = /[^\s]{1,32}\s{0,32}|\s{1,64}/uy;

/**
 * How far a text can be read from an offset within so many tokens: to the end of a line or, where the first line is too
 * long by itself, of a word. Goes forward by at least one word, so that reading on always ends.
 *
 * @param start UTF-16 offset, and `end` where the stretch ends at the latest
 * @returns where to stop, and the tokens up to there
 */
export function readWithin(
  text: string,
  { start, end }: { start: number; end: number },
  maxTokens: number,
): { end: number; tokens: number } {
  let at = start;
  let tokens = 0;
  while (at < end) {
    const line = lineEnd(text, at, end);
    // no vocabulary packs more characters into a token: counting such a line would be for nothing
    const size = line - at > maxTokens * 16 ? Number.POSITIVE_INFINITY : countTokens(text.slice(at, line));
    if (tokens + size > maxTokens) break;
    tokens += size;
    at = line;
  }
  return at > start || at >= end ? { end: at, tokens } : wordsWithin(text, { start, end }, maxTokens);
}

function wordsWithin(text: string, { start, end }: { start: number; end: number }, maxTokens: number) {
  let at = start;
  let tokens = 0;
  while (at < end) {
    STEP.lastIndex = at;
    const step = Math.min(end, at + (STEP.exec(text)?.[0].length ?? 1));
    const size = countTokens(text.slice(at, step));
    if (at > start && tokens + size > maxTokens) break;
    tokens += size;
    at = step;
  }
  return { end: at, tokens };
}

function lineEnd(text: string, from: number, end: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 || newline >= end ? end : newline + 1;
}
