import { countTokens } from '../text/tokens.ts';

const MARK = '…';
// No vocabulary packs more characters than this into a token, runs of blanks aside: longer texts need no counting.
const CHARACTERS_PER_TOKEN = 12;

const isHighSurrogate = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text.charAt(at));

function head(text: string, length: number): string {
  const end = isHighSurrogate(text, length - 1) ? length - 1 : length;
  return text.slice(0, Math.max(0, end));
}

function tail(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(start > 0 && isHighSurrogate(text, start - 1) ? start + 1 : start);
}

/** The longest stretch that `cut` gives within `limit` tokens, found by a few proportional steps. */
function longestFit(text: string, limit: number, cut: (text: string, length: number) => string): string {
  let piece = cut(text, Math.min(text.length, limit * CHARACTERS_PER_TOKEN));
  for (let tokens = countTokens(piece); tokens > limit; tokens = countTokens(piece)) {
    piece = cut(piece, Math.min(piece.length - 1, Math.floor((piece.length * limit) / tokens)));
  }
  return piece;
}

/** The beginning of a text, at most `limit` tokens with the mark that says that it was cut. */
export function clipTokens(text: string, limit: number): string {
  if (text.length <= limit * CHARACTERS_PER_TOKEN && countTokens(text) <= limit) return text;
  return limit < 2 ? '' : `${longestFit(text, limit - 1, head).trimEnd()}${MARK}`;
}

/** Beginning and end of a text, at most `limit` tokens: what was asked often stands at the end of a long message. */
export function clipMiddle(text: string, limit: number): string {
  if (text.length <= limit * CHARACTERS_PER_TOKEN && countTokens(text) <= limit) return text;
  if (limit < 12) return clipTokens(text, limit);
  const half = Math.floor((limit - 4) / 2);
  return `${longestFit(text, half, head).trimEnd()} [${MARK}] ${longestFit(text, half, tail).trimStart()}`;
}

/** One line: runs of white space become one blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
