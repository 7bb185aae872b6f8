import type { Member } from '../structured/member.ts';

// Each level is scanned again when it is cut, so that hostile nesting cannot make this quadratic.
const DEEPEST = 16;

/**
 * The structure of a JSON text by its brackets, commas and strings, however it is laid out and whether or not it is
 * valid: the members of the outermost object or array.
 */
export function jsonMembers(text: string): Member[] {
  return membersOf(text, 0, text.length, 0);
}

function membersOf(text: string, start: number, end: number, depth: number): Member[] {
  const opening = depth < DEEPEST ? valueStart(text, start, end) : end;
  const bracket = text.charAt(opening);
  if (opening >= end || (bracket !== '{' && bracket !== '[')) return [];
  const starts = [opening + 1, ...commasAfter(text, opening, end)];
  return starts.map((from, i) => {
    const to = starts[i + 1] ?? end;
    return {
      key: bracket === '[' ? `[${i}]` : keyAt(text, from, to),
      start: from,
      end: to,
      members: () => membersOf(text, from, to, depth + 1),
    };
  });
}

/** Where the first value of a range starts: behind its key, when it has one. */
function valueStart(text: string, start: number, end: number): number {
  let at = skipSpace(text, start, end);
  if (text.charCodeAt(at) !== 34) return at;
  at = skipSpace(text, stringEnd(text, at, end), end);
  return text.charCodeAt(at) === 58 ? skipSpace(text, at + 1, end) : end;
}

/** The offsets behind the commas directly inside the bracket at `opening`, up to the one that closes it. */
function commasAfter(text: string, opening: number, end: number): number[] {
  const found: number[] = [];
  let depth = 0;
  for (let at = opening; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) at = stringEnd(text, at, end) - 1;
    else if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) depth--;
    else if (code === 44 && depth === 1) found.push(behindLine(text, at + 1, end));
    if (depth === 0) break;
  }
  return found;
}

/** Behind the rest of the line if that is white space: members start at lines where the text has lines. */
function behindLine(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9 || text.charCodeAt(at) === 13))
    at++;
  return text.charCodeAt(at) === 10 ? at + 1 : from;
}

/** Behind the closing quote of the string that starts at `at`; an unclosed one ends with the range. */
function stringEnd(text: string, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 34) return i + 1;
  }
  return end;
}

function skipSpace(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at++;
  return at;
}

function keyAt(text: string, start: number, end: number): string {
  const from = skipSpace(text, start, end);
  if (text.charCodeAt(from) !== 34) return '';
  const raw = text.slice(from, Math.min(stringEnd(text, from, end), from + 300));
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.slice(1);
  }
}
