import type { Citation } from '../contract/citation.ts';
import type { LeafPlace } from '../db/leaf-places.ts';
import { sentenceStarts } from '../text/sentences.ts';
import { supportOf } from './citation-support.ts';
import { cutFrom, findMarkers, type Marker } from './markers.ts';
import { createQuoter, type Quoter } from './quote.ts';
import type { SentPassage } from './sections/documents.ts';

export interface Cited {
  /** The reply without the markers that resolve to nothing. */
  text: string;
  /** In the order of their markers in the text; a marker has one for each different quote. */
  citations: Citation[];
  /** Numbers that resolved to nothing. */
  removed: number;
}

/** No reply cites more often in earnest; further markers stay, without quotes of their own. */
const MOST_QUOTES = 200;
const LONGEST_CLAIM = 1_500;
/** What a list puts in front of a claim: its number is no figure of it. */
const LEAD = /^\s*(?:[-*+>]|#{1,6}|\d{1,3}[.)])\s+/;

/**
 * Resolves the markers of a reply to the passages that were sent, each with the sentence that the claim at the marker
 * was taken from.
 *
 * @param leaves of the passages' parents; without them only the leaves that the search matched are known
 */
export function resolveCitations(
  reply: string,
  passages: readonly SentPassage[],
  leaves: readonly LeafPlace[] = [],
): Cited {
  const byMarker = new Map(passages.map((passage) => [passage.marker, passage]));
  const quoters = new Map<number, Quoter>();
  const markers = findMarkers(reply);
  const citations: Citation[] = [];
  const pieces: string[] = [];
  let removed = 0;
  let written = 0;
  let quoted = 0;
  for (const [index, marker] of markers.entries()) {
    const known = marker.numbers.filter((number) => byMarker.has(number));
    // no number of ours behind a word: an index, like items[3]
    if (known.length === 0 && marker.glued) continue;
    removed += marker.numbers.length - known.length;
    const claim = known.length === 0 || quoted >= MOST_QUOTES ? '' : claimAt(reply, markers, index);
    for (const number of known) {
      const sent = byMarker.get(number);
      if (!sent || ++quoted > MOST_QUOTES) continue;
      const quoter = quoters.get(number) ?? createQuoter(sent);
      quoters.set(number, quoter);
      citations.push({ ...cite(sent, quoter.quote(claim), leaves), claim: plain(claim) });
    }
    if (known.length < marker.numbers.length) {
      pieces.push(reply.slice(written, known.length === 0 ? cutFrom(reply, marker) : marker.start));
      if (known.length > 0) pieces.push(`[${known.join(', ')}]`);
      written = marker.end;
    }
  }
  pieces.push(reply.slice(written));
  return { text: pieces.join(''), citations: judged(citations, byMarker), removed };
}

/** A claim without the list around it. */
const plain = (claim: string): string => claim.replace(LEAD, '').trim();

/** Each different quote of a marker once, with the claim that it supports least. */
function judged(citations: readonly Citation[], byMarker: ReadonlyMap<number, SentPassage>): Citation[] {
  const support = supportOf(citations, ({ marker }) => {
    const sent = byMarker.get(marker);
    if (!sent) return null;
    const { passage, spans } = sent;
    const shown = spans.map(({ start, end }) => passage.text.slice(start, end));
    return [passage.filename, ...passage.header_path, ...shown].join('\n');
  });
  const kept = new Map<string, Citation>();
  for (const [index, citation] of citations.entries()) {
    const key = `${citation.marker}:${citation.char_start}:${citation.char_end}`;
    const judgedOne = { ...citation, ...support[index] };
    if (!kept.has(key) || (judgedOne.support === 'unsupported' && kept.get(key)?.support === 'supported')) {
      kept.set(key, judgedOne);
    }
  }
  return [...kept.values()];
}

/** What the marker stands for: the stretch since the marker before it, its sentence, or else what follows it. */
function claimAt(reply: string, markers: readonly Marker[], index: number): string {
  const marker = markers[index];
  if (!marker) return '';
  const newlineBefore = marker.start === 0 ? -1 : reply.lastIndexOf('\n', marker.start - 1);
  const lineStart = Math.max(newlineBefore + 1, marker.start - LONGEST_CLAIM);
  const before = bare(reply, markers, lineStart, marker.start).trimEnd();
  const sentence = before.slice(sentenceStarts(before, 0, before.length).at(-1) ?? 0);
  const previous = markers[index - 1];
  const since = previous && previous.end > lineStart ? bare(reply, markers, previous.end, marker.start) : '';
  if (since.trim().length >= 25 && since.length < sentence.length) return since;
  if (/[\p{L}\p{N}]/u.test(sentence)) return sentence;
  const newline = reply.indexOf('\n', marker.end);
  const lineEnd = newline === -1 ? reply.length : newline;
  return bare(reply, markers, marker.end, Math.min(lineEnd, marker.end + LONGEST_CLAIM));
}

function bare(reply: string, markers: readonly Marker[], start: number, end: number): string {
  const pieces: string[] = [];
  let at = start;
  for (const marker of markers) {
    if (marker.start < start || marker.end > end) continue;
    pieces.push(reply.slice(at, marker.start));
    at = marker.end;
  }
  return pieces.join('') + reply.slice(at, end);
}

function cite(
  { marker, passage }: SentPassage,
  span: { start: number; end: number },
  leaves: readonly LeafPlace[],
): Citation {
  const charStart = passage.char_start + span.start;
  const charEnd = passage.char_start + span.end;
  const overlap = (leaf: { charStart: number; charEnd: number }): number =>
    Math.min(leaf.charEnd, charEnd) - Math.max(leaf.charStart, charStart);
  const candidates = [
    ...leaves.filter((leaf) => leaf.parentId === passage.parent_id),
    ...passage.matched_leaves.map((leaf) => ({
      leafId: leaf.leaf_id,
      charStart: leaf.char_start,
      charEnd: leaf.char_end,
      page: passage.page,
    })),
  ];
  const leaf = candidates.reduce<(typeof candidates)[number] | null>(
    (best, next) => (overlap(next) > (best ? overlap(best) : 0) ? next : best),
    null,
  );
  return {
    marker,
    source: passage.source,
    filename: passage.filename,
    version: passage.version,
    header_path: passage.header_path,
    page: leaf?.page ?? passage.page,
    char_start: charStart,
    char_end: charEnd,
    quote: passage.text.slice(span.start, span.end),
    leaf_id: leaf?.leafId ?? null,
    parent_id: passage.parent_id,
  };
}
