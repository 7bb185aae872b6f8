import { rangeBest } from './range-maximum.ts';

/** An item of a sequence that is to be cut into runs. Sizes are whole numbers. */
export interface CutItem {
  size: number;
  /** What a run that starts with this item has in front of it besides (a repeated table header). */
  lead: number;
  /**
   * How good a place for a cut its start is: 0 only where a run would be over the maximum, below 0 only if nothing else
   * will do (right behind a heading).
   */
  strength: number;
  /** A fingerprint of its text. */
  hash: number;
}

interface CutLimits {
  /** No run is shorter, as long as that can be had. Half of it will do to cut a run over `high` that has no other place. */
  min: number;
  /** Runs up to this size are not cut. */
  high: number;
  /** No run is longer, unless one item is. */
  max: number;
  /** What one item over the maximum may grow to by what belongs in front of it (its heading). */
  hardMax: number;
}

/**
 * Cuts a sequence into runs and returns where each starts. It is halved at its best place, and so are the halves, as
 * long as both sides have the minimum; among equals the smallest fingerprint is the best. So a cut hangs on the texts
 * around it and not on what was counted up to it, and an edit moves only the cuts next to it (the idea of
 * content-defined chunking and of treaps). O(n log n).
 */
export function cutSequence(items: readonly CutItem[], limits: CutLimits): number[] {
  const sums = new Float64Array(items.length + 1);
  for (let i = 0; i < items.length; i++) sums[i + 1] = (sums[i] ?? 0) + (items[i]?.size ?? 0);
  const best = rangeBest(items.length, (a, b) => isBetter(items[a], items[b]));
  const starts: number[] = [];
  const open: [number, number][] = items.length > 0 ? [[0, items.length]] : [];
  for (let run = open.pop(); run; run = open.pop()) {
    const [start, end] = run;
    const size = (items[start]?.lead ?? 0) + (sums[end] ?? 0) - (sums[start] ?? 0);
    const place = (min: number): number => {
      const first = firstAtLeast(sums, start + 1, end, (sums[start] ?? 0) + min);
      const last = firstAtLeast(sums, start + 1, end, (sums[end] ?? 0) - min + 1) - 1;
      return first <= last ? best(first, last) : -1;
    };
    let cut = size > limits.high ? place(limits.min) : -1;
    const isWeak = (items[cut]?.strength ?? -1) <= 0;
    if (isWeak && size > limits.high && size <= limits.max) cut = place(limits.min / 2);
    const strength = items[cut]?.strength ?? -1;
    if (strength > 0 || (strength === 0 && size > limits.max)) open.push([cut, end], [start, cut]);
    else if (size <= limits.max) starts.push(start);
    else starts.push(...cutFromLeft(items, start, end, limits));
  }
  return starts;
}

function isBetter(one: CutItem | undefined, other: CutItem | undefined): boolean {
  if (!one || !other) return other === undefined;
  return one.strength === other.strength ? one.hash < other.hash : one.strength > other.strength;
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
function cutFromLeft(items: readonly CutItem[], from: number, to: number, limits: CutLimits): number[] {
  const starts: number[] = [];
  for (let start = from; start < to; start = runEnd(items, start, to, limits)) starts.push(start);
  return starts;
}

function runEnd(items: readonly CutItem[], start: number, to: number, limits: CutLimits): number {
  let size = items[start]?.lead ?? 0;
  let furthest = -1;
  for (let end = start; end < to; end++) {
    const next = items[end];
    if (!next) break;
    if (end > start && next.strength >= 0) {
      furthest = end;
      // what is too long itself starts a run, unless there are but a few words in front of it
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
