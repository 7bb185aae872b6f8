import { firstTokens, fitsTokens, lastTokens } from '../text/fit-tokens.ts';
import { countTokens } from '../text/tokens.ts';
import { withoutMark } from './breadcrumb.ts';
import type { Passage } from './passage.ts';

/** The headings take no more of a candidate than this. */
const HEADING_SHARE = 0.25;

/**
 * What a reranker reads of a candidate: the headings above it, the leaf that it was found by, and as much of the section
 * around that as there is room for. The leaf alone lacks what "it" is; the section's beginning may lack what was asked.
 *
 * @param limit tokens
 */
export function rerankText(
  { context_header: breadcrumb, text, char_start: from, matched_leaves: [leaf] }: Passage,
  limit: number,
): string {
  const heading = firstTokens(withoutMark(breadcrumb), Math.floor(limit * HEADING_SHARE));
  const room = limit - countTokens(heading) - 1;
  return `${heading}\n${leaf ? around(text, leaf.char_start - from, leaf.char_end - from, room) : firstTokens(text, room)}`;
}

/** A stretch of a text with what stands before and after it, half of the rest each. */
function around(text: string, start: number, end: number, limit: number): string {
  if (fitsTokens(text, limit)) return text;
  const stretch = firstTokens(text.slice(start, end), limit);
  const rest = limit - countTokens(stretch);
  if (rest <= 0) return stretch;
  const before = lastTokens(text.slice(0, start), Math.floor(rest / 2));
  const after = firstTokens(text.slice(end), rest - countTokens(before));
  return `${before}${stretch}${after}`;
}
