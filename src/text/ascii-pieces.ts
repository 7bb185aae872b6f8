const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const SPACE = 4;
const NEWLINE = 5;
const SLASH = 47;
const APOSTROPHE = 39;

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return LOWER;
  if (/[A-Z]/.test(char)) return UPPER;
  if (/[0-9]/.test(char)) return DIGIT;
  if (/[\r\n]/.test(char)) return NEWLINE;
  return /\s/.test(char) ? SPACE : OTHER;
});

/**
 * Where the piece ends that starts at `at`, in a stretch of ASCII up to `end`, when text is split as o200k splits it
 * before it merges byte pairs: a word with the character before it and a contraction, up to three digits, punctuation
 * with the space before and the line ends behind, white space.
 */
export function asciiPieceEnd(text: string, at: number, end: number): number {
  const kind = kindAt(text, at, end);
  const next = kindAt(text, at + 1, end);
  if (isLetter(kind)) return wordEnd(text, at, end);
  if (kind === DIGIT) return runEnd(text, at, Math.min(end, at + 3), DIGIT);
  if (kind !== NEWLINE && isLetter(next)) return wordEnd(text, at + 1, end);
  if (kind === OTHER) return punctuationEnd(text, at, end);
  if (next === OTHER && text.charCodeAt(at) === 32) return punctuationEnd(text, at + 1, end);
  return spaceEnd(text, at, end);
}

const kindAt = (text: string, at: number, end: number): number =>
  at < end ? (kinds[text.charCodeAt(at)] ?? OTHER) : -1;

const isLetter = (kind: number): boolean => kind === LOWER || kind === UPPER;

function runEnd(text: string, from: number, end: number, kind: number): number {
  let at = from;
  while (at < end && kinds[text.charCodeAt(at)] === kind) at++;
  return at;
}

function wordEnd(text: string, from: number, end: number): number {
  const at = runEnd(text, runEnd(text, from, end, UPPER), end, LOWER);
  if (at + 1 >= end || text.charCodeAt(at) !== APOSTROPHE) return at;
  const suffix = text.slice(at + 1, Math.min(end, at + 3)).toLowerCase();
  if (/^[sdmt]/.test(suffix)) return at + 2;
  return suffix === 'll' || suffix === 've' || suffix === 're' ? at + 3 : at;
}

function punctuationEnd(text: string, from: number, end: number): number {
  let at = runEnd(text, from, end, OTHER);
  while (at < end && (text.charCodeAt(at) === SLASH || kinds[text.charCodeAt(at)] === NEWLINE)) at++;
  return at;
}

/** White space up to its last line end; without one, all but the last space, which belongs to what follows. */
function spaceEnd(text: string, from: number, end: number): number {
  let at = from;
  let behindNewline = -1;
  while (at < end) {
    const kind = kinds[text.charCodeAt(at)];
    if (kind !== SPACE && kind !== NEWLINE) break;
    at++;
    if (kind === NEWLINE) behindNewline = at;
  }
  if (behindNewline !== -1) return behindNewline;
  return at === end || at - from === 1 ? at : at - 1;
}
