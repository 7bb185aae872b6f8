import type { LeafSpan } from './leaves.ts';
import { splitPoints } from './split-points.ts';

/**
 * Groups the leaves of a unit into parents: one for the whole unit if it fits, otherwise several of at least a
 * quarter of the maximum, split at the strongest boundaries. No leaf is cut, so that each has exactly one parent.
 */
export function groupIntoParents(leaves: readonly LeafSpan[], parentMax: number): LeafSpan[][] {
  const items = leaves.map(({ size, strength, fingerprint }) => ({
    size,
    prefixSize: 0,
    strength,
    fingerprint,
  }));
  const limits = { min: Math.ceil(parentMax / 4), target: parentMax, max: parentMax, hardMax: parentMax };
  const starts = splitPoints(items, limits);
  return starts.map((from, i) => leaves.slice(from, starts[i + 1] ?? leaves.length));
}
