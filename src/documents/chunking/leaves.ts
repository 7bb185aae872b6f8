import { trimRange } from '../../text/lines.ts';
import type { Unit } from './merge-sections.ts';
import { splitPoints } from './split-points.ts';
import type { Split } from './splits.ts';
import { targetLeafTokens } from './target-leaf-size.ts';

/** A leaf by where it stands: a run of a unit's splits. */
export interface LeafSpan {
  /** Offsets of its own text, without white space around it. */
  start: number;
  end: number;
  /** The table header that is repeated in front of it. */
  header: { start: number; end: number } | null;
  /** Tokens of its text, the repeated header included. */
  tokens: number;
  /** Tokens of its stretch of the document, the white space behind it included. */
  size: number;
  oversized: boolean;
  /** How strong the boundary in front of it is, for parents, and the fingerprint of its first split. */
  strength: number;
  fingerprint: number;
}

interface LeafLimits {
  leafMin: number;
  leafMax: number;
  parentMax: number;
}

/** Cuts a unit into leaves: one where the target size is enough for it, otherwise several. */
export function leafSpans(text: string, unit: Unit, { leafMin, leafMax, parentMax }: LeafLimits): LeafSpan[] {
  const splits = unit.sections.flatMap((section) => section.splits);
  const target = targetLeafTokens({ leafMin, leafMax });
  const limits = { min: leafMin, target, max: leafMax, hardMax: parentMax };
  const starts = unit.tokens <= target ? [0] : splitPoints(splits, limits);
  const spans: LeafSpan[] = [];
  starts.forEach((from, i) => {
    const span = spanOf(text, splits.slice(from, starts[i + 1] ?? splits.length), leafMax);
    if (span) spans.push(span);
  });
  return spans;
}

function spanOf(text: string, splits: readonly Split[], leafMax: number): LeafSpan | null {
  const first = splits[0];
  const last = splits[splits.length - 1];
  if (!first || !last) return null;
  const { start, end } = trimRange(text, first.start, last.end);
  if (start === end) return null;
  const size = splits.reduce((sum, split) => sum + split.size, 0);
  const tokens = first.prefixSize + size;
  return {
    start,
    end,
    header: first.header,
    tokens,
    size,
    oversized: tokens > leafMax || splits.some(({ isFragment }) => isFragment),
    strength: first.strength,
    fingerprint: first.fingerprint,
  };
}
