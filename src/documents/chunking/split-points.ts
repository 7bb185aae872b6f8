import { rangeMaximum } from './range-maximum.ts';

/** An item of a sequence that is to be split into runs. Sizes are whole numbers. */
export interface SequenceItem {
  size: number;
  /** What a run that starts with this item has in front of it besides (a repeated table header). */
  prefixSize: number;
  /**
   * How strong the boundary in front of it is, the best place for a split being the strongest: 0 only where a run would
   * be over the maximum, below 0 only if nothing else will do (right behind a heading).
   */
  strength: number;
  /** A fingerprint of its text. */
  fingerprint: number;
}

interface RunLimits {
  /** No run is shorter, as long as that can be had. Half of it will do where a run over the target has no other place. */
  min: number;
  /** Runs up to this size are not split. */
  target: number;
  /** No run is longer, unless one item is. */
  max: number;
  /** What one item over the maximum may grow to by what belongs in front of it (its heading). */
  hardMax: number;
}

/**
 * Splits a sequence into runs and returns where each starts. It is halved at its strongest boundary, and so are the
 * halves, as long as both sides have the minimum; among equals the smallest fingerprint wins. So a split point hangs on
 * the texts around it and not on what was counted up to it, and an edit moves only the split points next to it (the idea
 * of content-defined chunking and of treaps). O(n log n).
 */
export function splitPoints(items: readonly SequenceItem[], limits: RunLimits): number[] {
  const sums = new Float64Array(items.length + 1);
  for (let i = 0; i < items.length; i++) sums[i + 1] = (sums[i] ?? 0) + (items[i]?.size ?? 0);
  const strongest = rangeMaximum(items.length, (a, b) => isStronger(items[a], items[b]));
  const starts: number[] = [];
  const open: [number, number][] = items.length > 0 ? [[0, items.length]] : [];
  for (let run = open.pop(); run; run = open.pop()) {
    const [start, end] = run;
    const size = (items[start]?.prefixSize ?? 0) + (sums[end] ?? 0) - (sums[start] ?? 0);
    const splitPoint = (min: number): number => {
      const first = firstAtLeast(sums, start + 1, end, (sums[start] ?? 0) + min);
      const last = firstAtLeast(sums, start + 1, end, (sums[end] ?? 0) - min + 1) - 1;
      return first <= last ? strongest(first, last) : -1;
    };
    let at = size > limits.target ? splitPoint(limits.min) : -1;
    const isWeak = (items[at]?.strength ?? -1) <= 0;
    if (isWeak && size > limits.target && size <= limits.max) at = splitPoint(limits.min / 2);
    const strength = items[at]?.strength ?? -1;
    if (strength > 0 || (strength === 0 && size > limits.max)) open.push([at, end], [start, at]);
    else if (size <= limits.max) starts.push(start);
    else starts.push(...packFromLeft(items, start, end, limits));
  }
  return starts;
}

function isStronger(one: SequenceItem | undefined, other: SequenceItem | undefined): boolean {
  if (!one || !other) return other === undefined;
  return one.strength === other.strength
    ? one.fingerprint < other.fingerprint
    : one.strength > other.strength;
}

/** The first index in `from..to` whose sum is at least `least`; `to` if there is none before. */
function firstAtLeast(sums: Float64Array, from: number, to: number, least: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** For what cannot be halved, because single items are too long: runs as long as they fit. */
function packFromLeft(items: readonly SequenceItem[], from: number, to: number, limits: RunLimits): number[] {
  const starts: number[] = [];
  for (let start = from; start < to; start = runEnd(items, start, to, limits)) starts.push(start);
  return starts;
}

function runEnd(items: readonly SequenceItem[], start: number, to: number, limits: RunLimits): number {
  let size = items[start]?.prefixSize ?? 0;
  let furthest = -1;
  for (let end = start; end < to; end++) {
    const next = items[end];
    if (!next) break;
    if (end > start && next.strength >= 0) {
      furthest = end;
      // What is too long itself starts a run, unless there are but a few words in front of it.
      if (size >= limits.min && size + next.size > limits.max) return end;
    }
    if (end > start && size + next.size > limits.max) {
      const joins = next.size > limits.max ? size < limits.min : furthest === -1;
      if (!joins || size + next.size > limits.hardMax) return furthest === -1 ? end : furthest;
    }
    size += next.size;
  }
  return to;
}
