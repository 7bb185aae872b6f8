import { oneLine } from '../../../text/one-line.ts';
import { MAX_BLURB } from '../../structure/outline-item.ts';

// Markup takes room, and a link's target may be long; more than this is not looked at, which bounds what looking for
// the end of something can cost.
const MOST_RAW = 1_000;
const ENOUGH = MAX_BLURB + 60;
const MARKUP = /[\\`*_~![\]<&]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
};

/**
 * The beginning of a stretch of inline Markdown as plain text on one line. A rule of thumb, good enough for a preview:
 * parsing would cost twenty times as much.
 *
 * @param env what the block parser gathered: a `[name]` that is defined somewhere is a link
 */
export function inlineBlurb(raw: string, env: Record<string, unknown> = {}): string {
  const head = raw.slice(0, MOST_RAW).toWellFormed();
  return oneLine(withoutMarkup(head, env), MAX_BLURB);
}

/** The beginning of a stretch of HTML as plain text on one line. */
export function htmlBlurb(html: string): string {
  return inlineBlurb(html.slice(0, MOST_RAW).replace(/<!--[\s\S]*?(?:-->|$)|<[^<>]*(?:>|$)/g, ' '));
}

function withoutMarkup(raw: string, env: Record<string, unknown>): string {
  const parts: string[] = [];
  // These brackets are still open: where they stand, and which of the parts they are.
  const brackets: { at: number; part: number }[] = [];
  let done = 0;
  let at = 0;
  // An opening bracket may go later on, with what it opens.
  for (let length = 0; length < ENOUGH && at < raw.length; ) {
    MARKUP.lastIndex = at;
    const next = Math.min(MARKUP.test(raw) ? MARKUP.lastIndex - 1 : raw.length, at + ENOUGH - length);
    length += next - at;
    at = next;
    if (at === raw.length || length === ENOUGH) break;
    const span = spanAt(raw, at);
    parts.push(raw.slice(done, at), span.text);
    done = at + span.length;
    if (span.kind === 'open') brackets.push({ at, part: parts.length - 1 });
    const opening = span.kind === 'close' ? brackets.pop() : undefined;
    const target = opening ? targetLength(raw, done) : 0;
    if (opening && (target > 0 || isDefined(raw.slice(opening.at, done), env))) {
      // The text of a link or an image stands for it.
      parts[opening.part] = '';
      parts[parts.length - 1] = '';
      done += target;
    }
    length += span.text.length;
    at = done;
  }
  parts.push(raw.slice(done, at));
  return parts.join('');
}

interface Span {
  text: string;
  length: number;
  kind?: 'open' | 'close';
}

const gone = (length: number): Span => ({ text: '', length });

/** What is left of the markup that starts here, and how long it is. */
function spanAt(raw: string, at: number): Span {
  const char = raw.charAt(at);
  const next = raw.charAt(at + 1);
  switch (char) {
    case '\\':
      return /[!-/:-@[-`{-~]/.test(next) ? { text: next, length: 2 } : { text: char, length: 1 };
    case '`':
      return gone(1);
    case '*':
      return isSpace(raw, at - 1) && isSpace(raw, at + 1) ? { text: char, length: 1 } : gone(1);
    case '_':
      return isWord(raw, at - 1) && isWord(raw, at + 1) ? { text: char, length: 1 } : gone(1);
    case '~':
      return next === '~' ? gone(2) : { text: char, length: 1 };
    case '!':
      return next === '[' ? { text: '', length: 2, kind: 'open' } : { text: char, length: 1 };
    case '[':
      return { text: char, length: 1, kind: 'open' };
    case ']':
      return { text: char, length: 1, kind: 'close' };
    case '&':
      return entityAt(raw, at);
    default:
      return tagAt(raw, at);
  }
}

function entityAt(raw: string, at: number): Span {
  const end = raw.indexOf(';', at);
  const text = end === -1 ? undefined : ENTITIES[raw.slice(at, end + 1)];
  return text === undefined ? { text: '&', length: 1 } : { text, length: end + 1 - at };
}

/** HTML goes, an address in angle brackets stays. */
function tagAt(raw: string, at: number): Span {
  const end = raw.indexOf('>', at);
  const inner = end === -1 ? '' : raw.slice(at + 1, end);
  if (!/^[a-z/!]/i.test(inner)) return { text: '<', length: 1 };
  const isAddress = /^[a-z][a-z\d+.-]*[:@]\S*$/i.test(inner);
  const parts = /^\/?(?:br|p|li|td|th|tr|div)\b/i.test(inner) ? ' ' : '';
  return { text: isAddress ? inner : parts, length: inner.length + 2 };
}

/** How long the target is that follows the text of a link: `(..)` or `[..]`; 0 when none does. */
function targetLength(raw: string, at: number): number {
  const closing = raw.charAt(at) === '(' ? ')' : raw.charAt(at) === '[' ? ']' : '';
  if (closing === '') return 0;
  let depth = 0;
  for (let i = at; i < raw.length; i++) {
    if (raw.charAt(i) === raw.charAt(at)) depth++;
    else if (raw.charAt(i) === closing) depth--;
    if (depth === 0) return i + 1 - at;
  }
  return raw.length - at;
}

/** Whether a text in brackets is the name of a link, as the parser writes names. */
function isDefined(bracketed: string, { references }: Record<string, unknown>): boolean {
  if (typeof references !== 'object' || references === null) return false;
  const name = bracketed
    .replace(/^!?\[|\]$/g, '')
    .trim()
    .replace(/\s+/g, ' ');
  return Object.hasOwn(references, name.toLowerCase().toUpperCase());
}

const isSpace = (raw: string, at: number): boolean => /^\s?$/.test(raw.charAt(at));
const isWord = (raw: string, at: number): boolean => /[\p{L}\p{N}]/u.test(raw.charAt(at));
