export const TAB = 9;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const APOSTROPHE = 39;
export const DASH = 45;
export const COLON = 58;
export const QUESTION = 63;

/** A line end or the end of the text. */
export function isEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 10 || code === 13 || at >= text.length;
}

/** White space or the end of the text: what makes of a dash or a colon before it an indicator. */
export function isGap(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === SPACE || code === 10 || code === 13 || code === TAB || at >= text.length;
}

export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}

export function lineEnd(text: string, from: number): number {
  let at = from;
  while (!isEnd(text, at)) at++;
  return at;
}

/** Where the next line starts, given the end of a line. */
export function behindBreak(text: string, end: number): number {
  return text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10
    ? end + 2
    : Math.min(end + 1, text.length);
}

/** The end of a line when nothing but a comment is left of it, otherwise -1. */
export function restOfLine(text: string, from: number): number {
  const at = skipSpaces(text, from);
  if (isEnd(text, at)) return at;
  return text.charCodeAt(at) === HASH && at > from ? lineEnd(text, at) : -1;
}

/** Whether a document starts or ends here, at the start of a line. */
export const isMarker = (text: string, at: number): boolean =>
  (text.startsWith('---', at) || text.startsWith('...', at)) && isGap(text, at + 3);

const CANNOT_START = new Set(',[]{}#&*!|>\'"%@`');

/** Whether a value without quotes can start here. */
export function startsPlain(text: string, at: number): boolean {
  const char = text.charAt(at);
  if (char === '-' || char === '?' || char === ':') return !isGap(text, at + 1);
  return !isGap(text, at) && !CANNOT_START.has(char);
}
