import { CHOMPING_MODE, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import {
  APOSTROPHE,
  behindBreak,
  COLON,
  HASH,
  isEnd,
  isGap,
  lineEnd,
  QUOTE,
  restOfLine,
  SPACE,
  skipSpaces,
  TAB,
} from './chars.ts';

/** A scalar that was read: its text, where it ends, and where reading goes on. */
export interface ReadScalar {
  value: string;
  end: number;
  next: number;
}

const ESCAPES = new Set('0abt\tnvfre "/\\N_LPxuU');

/**
 * A scalar without quotes on one or more lines that are indented more than `indent`.
 *
 * @returns undefined for what needs the whole parser, here and below
 */
export function readPlain(text: string, at: number, indent: number): ReadScalar | undefined {
  let end = plainEnd(text, at);
  if (end === -1) return undefined;
  let stop = restOfLine(text, end);
  let lines = 1;
  // A comment ends it.
  while (stop !== -1 && stop < text.length && text.charCodeAt(skipSpaces(text, end)) !== HASH) {
    const line = nextContent(text, stop);
    if (line.at >= text.length || line.indent <= indent || text.charCodeAt(line.at) === HASH) break;
    if (text.charCodeAt(line.at) === TAB) return undefined;
    end = plainEnd(text, line.at);
    if (end === -1) return undefined;
    stop = restOfLine(text, end);
    lines++;
  }
  if (stop === -1) return undefined;
  const value =
    lines === 1 ? text.slice(at, end) : getScalarValue(text, scalarEvent(SCALAR_STYLE.PLAIN, at, end));
  return { value, end, next: stop };
}

/** The end of the part on this line; -1 where a colon would make a key of it. */
function plainEnd(text: string, from: number): number {
  let end = from;
  for (let at = from; !isEnd(text, at); at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === TAB) continue;
    if (code === COLON && isGap(text, at + 1)) return -1;
    if (code === HASH && at > from && isGap(text, at - 1)) break;
    end = at + 1;
  }
  return end;
}

/** The text and the indentation of the next line that is not blank. */
function nextContent(text: string, stop: number): { at: number; indent: number } {
  let start = behindBreak(text, stop);
  while (start < text.length) {
    const at = skipSpaces(text, start);
    if (!isEnd(text, at)) return { at, indent: at - start };
    start = behindBreak(text, at);
  }
  return { at: text.length, indent: 0 };
}

/** A scalar in quotes; its further lines are indented more than `indent`. `next` is right behind the quote. */
export function readQuoted(text: string, start: number, indent: number): ReadScalar | undefined {
  const quote = text.charCodeAt(start);
  let isSimple = true;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (quote === APOSTROPHE && text.charCodeAt(at + 1) === APOSTROPHE) {
        isSimple = false;
        at++;
        continue;
      }
      const style = quote === QUOTE ? SCALAR_STYLE.DOUBLE_QUOTED : SCALAR_STYLE.SINGLE_QUOTED;
      const value = isSimple
        ? text.slice(start + 1, at)
        : getScalarValue(text, scalarEvent(style, start + 1, at));
      return { value, end: at + 1, next: at + 1 };
    }
    if (code === 92 && quote === QUOTE) {
      isSimple = false;
      if (isEnd(text, at + 1)) continue;
      if (!ESCAPES.has(text.charAt(at + 1))) return undefined;
      at++;
    } else if (code === 10 || code === 13) {
      isSimple = false;
      const line = nextContent(text, at);
      if (indent < 0 || line.indent <= indent || text.charCodeAt(line.at) === TAB) return undefined;
      at = line.at - 1;
    } else if (code < SPACE && code !== TAB) {
      return undefined;
    }
  }
  return undefined;
}

/** A block scalar (`|`, `>`), its header at `at`, with lines that are indented more than `indent`. */
export function readBlock(text: string, at: number, indent: number): ReadScalar | undefined {
  // An indentation is given where the first line starts with a space.
  const header = /^[|>](?:[-+]?([1-9])?|([1-9])[-+])(?=\s|$)/.exec(text.slice(at, at + 4));
  if (!header) return undefined;
  const digit = header[1] ?? header[2];
  const headerEnd = restOfLine(text, at + header[0].length);
  if (headerEnd === -1) return undefined;
  const start = behindBreak(text, headerEnd);
  const first = nextContent(text, headerEnd);
  const least = digit === undefined ? first.indent : indent + Number(digit);
  let end = start;
  let last = -1;
  let next = headerEnd;
  for (let line = start; line < text.length; ) {
    const from = skipSpaces(text, line);
    const isBlank = isEnd(text, from);
    // The parser has an opinion about blank lines that are indented more than the first line with text.
    if (isBlank && line < first.at && from - line > least) return undefined;
    if (!isBlank && (least <= indent || from - line < least)) break;
    if (text.charCodeAt(from) === TAB && line <= first.at) return undefined;
    next = lineEnd(text, from);
    line = behindBreak(text, next);
    end = line;
    if (!isBlank) last = next;
  }
  const style = text.charAt(at) === '|' ? SCALAR_STYLE.LITERAL_BLOCK : SCALAR_STYLE.FOLDED_BLOCK;
  const chomping = header[0].includes('-')
    ? CHOMPING_MODE.STRIP
    : header[0].includes('+')
      ? CHOMPING_MODE.KEEP
      : CHOMPING_MODE.CLIP;
  const event = { ...scalarEvent(style, start, end), chomping, indent: last === -1 ? -1 : least };
  return { value: getScalarValue(text, event), end: last === -1 ? at + header[0].length : last, next };
}

function scalarEvent(style: ScalarEvent['style'], valueStart: number, valueEnd: number): ScalarEvent {
  return {
    type: EVENT_ID.SCALAR,
    valueStart,
    valueEnd,
    anchorStart: -1,
    anchorEnd: -1,
    tagStart: -1,
    tagEnd: -1,
    style,
    chomping: CHOMPING_MODE.CLIP,
    indent: -1,
    fast: false,
  };
}
