import type { LeafRun } from './leaves.ts';
import { cutSequence } from './split-points.ts';

/**
 * Groups the leaves of a unit into parents: one for the whole unit if it fits, otherwise several of at least a
 * quarter of the maximum, cut at the best places. No leaf is cut, so that each has exactly one parent.
 */
export function parentRuns(leaves: readonly LeafRun[], parentMax: number): LeafRun[][] {
  const items = leaves.map(({ size, strength, hash }) => ({ size, lead: 0, strength, hash }));
  const limits = { min: Math.ceil(parentMax / 4), high: parentMax, max: parentMax, hardMax: parentMax };
  const starts = cutSequence(items, limits);
  return starts.map((from, i) => leaves.slice(from, starts[i + 1] ?? leaves.length));
}
