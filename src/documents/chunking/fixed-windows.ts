import type { FixedChunking } from '../../contract/chunking.ts';
import { countTokens } from '../../text/tokens.ts';
import type { ParsedSection } from '../structure/section.ts';
import type { ParentSpan } from './build-chunks.ts';

/**
 * Windows of `chunk_chars` UTF-16 code units, each starting `overlap_chars` before the end of the one before; no
 * character is cut in two, and windows of nothing but white space are left out. Each is a leaf and its own parent.
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

/** The offset, or the one before it when it stands between the halves of a character. */
const wholeCharacter = (text: string, at: number): number =>
  at < text.length && (text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at;
