import { countTokens } from './tokens.ts';

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

/** Whether a text has at most so many tokens. */
export const fitsTokens = (text: string, limit: number): boolean =>
  text.length <= limit * CHARACTERS_PER_TOKEN && countTokens(text) <= limit;

/** The beginning of a text, at most so many tokens. */
export const firstTokens = (text: string, limit: number): string => longestFit(text, limit, head);

/** The end of a text, at most so many tokens. */
export const lastTokens = (text: string, limit: number): string => longestFit(text, limit, tail);
