import type { FixedChunking } from '../../contract/chunking.ts';
import { countTokens } from '../../text/tokens.ts';
import type { ParsedSection } from '../structure/section.ts';
import type { ParentSpan } from './build-chunks.ts';

/**
 * Windows of `chunk_chars` UTF-16 code units, each starting `overlap_chars` before the end of the one before. A border that
 * would cut a character in two, one of several code points too, stands in front of it. Windows of nothing but white space
 * are left out. Each is a leaf and its own parent.
 */
export function fixedWindows(
  text: string,
  sections: readonly ParsedSection[],
  chunking: FixedChunking,
): ParentSpan[] {
  const spans: ParentSpan[] = [];
  for (const { start, end } of windows(text, chunking)) {
    const tokens = countTokens(text.slice(start, end));
    const place = { start, end, header: null, tokens, size: tokens };
    spans.push({ sections, leaves: [{ ...place, oversized: false, strength: 0, fingerprint: 0 }] });
  }
  return spans;
}

function windows(
  text: string,
  { chunk_chars, overlap_chars }: FixedChunking,
): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = 0;
  while (start < text.length) {
    const end = wholeCharacter(text, Math.min(text.length, start + chunk_chars));
    if (text.slice(start, end).trim() !== '') found.push({ start, end });
    if (end === text.length) break;
    start = wholeCharacter(text, end - overlap_chars);
  }
  return found;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/**
 * UTF-16 code units: more than any emoji has, a kiss of two with skin tones among them, and so few that windows of the least
 * size move on however often they are shortened. What goes on for longer (a letter under a heap of accents) is cut.
 */
const LONGEST_CHARACTER = 24;

/** The offset, or where the character starts that it stands inside of: a letter with its accents, a family of emoji. */
function wholeCharacter(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const from = Math.max(0, at - LONGEST_CHARACTER);
  const near = text.slice(from, at + 1);
  const start = segmenter.segment(near).containing(at - from)?.index ?? 0;
  if (start > 0) return from + start;
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
}
