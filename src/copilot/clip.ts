import { firstTokens, fitsTokens, lastTokens } from '../text/fit-tokens.ts';

const MARK = '…';

/** The beginning of a text, at most `limit` tokens with the mark that says that it was cut. */
export function clipTokens(text: string, limit: number): string {
  if (fitsTokens(text, limit)) return text;
  return limit < 2 ? '' : `${firstTokens(text, limit - 1).trimEnd()}${MARK}`;
}

/** Beginning and end of a text, at most `limit` tokens: what was asked often stands at the end of a long message. */
export function clipMiddle(text: string, limit: number): string {
  if (fitsTokens(text, limit)) return text;
  if (limit < 12) return clipTokens(text, limit);
  const half = Math.floor((limit - 4) / 2);
  return `${firstTokens(text, half).trimEnd()} [${MARK}] ${lastTokens(text, half).trimStart()}`;
}

/** One line: runs of white space become one blank. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
