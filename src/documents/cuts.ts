/** An item of a sequence that is to be cut into runs. */
export interface CutItem {
  size: number;
  /** What a run that starts with this item has in front of it besides (a repeated table header). */
  lead: number;
  /** How good a place its start is for a cut; below 0: only if nothing else will do (right behind a heading). */
  strength: number;
  /** A fingerprint of its text. */
  hash: number;
}

interface CutLimits {
  /** No run is shorter, as long as that can be had. */
  min: number;
  /** Runs end at the best place between these two sizes. */
  low: number;
  high: number;
  /** No run is longer, unless one item is. */
  max: number;
  /** What one item over the maximum may grow to by what belongs in front of it (its heading). */
  hardMax: number;
}

/**
 * Cuts a sequence into runs and returns where each starts. Among the best places within reach it takes the one whose
 * text has the smallest fingerprint: cuts hang on what stands around them and not on what came long before, so that
 * after an edit the same cuts come back within a run or two (content-defined chunking, as in rsync and LBFS). Linear.
 */
export function cutSequence(items: readonly CutItem[], limits: CutLimits): number[] {
  const rest = new Float64Array(items.length + 1);
  for (let i = items.length - 1; i >= 0; i--) rest[i] = (rest[i + 1] ?? 0) + (items[i]?.size ?? 0);
  const starts: number[] = [];
  let start = 0;
  while (start < items.length) {
    starts.push(start);
    start = runEnd(items, start, rest, limits);
  }
  return starts;
}

function runEnd(items: readonly CutItem[], start: number, rest: Float64Array, limits: CutLimits): number {
  let size = items[start]?.lead ?? 0;
  if (size + (rest[start] ?? 0) <= limits.high) return items.length;
  // the best place within reach; the furthest place; whether that one leaves nothing too short
  let best = -1;
  let furthest = -1;
  let enough = false;
  let end = start;
  for (let next = items[end]; next; next = items[end]) {
    if (end > start && size + next.size > limits.max) {
      // a few words or a heading in front of something overlong go with it rather than stand alone
      const joins = next.size > limits.max ? !enough : next.strength < 0 && furthest === -1;
      if (best !== -1 || !joins || size + next.size > limits.hardMax) break;
    }
    size += next.size;
    end++;
    const following = items[end];
    if (!following) return best === -1 ? end : best;
    if (following.strength < 0) continue;
    const fits = size >= limits.min && (rest[end] ?? 0) + following.lead >= limits.min;
    if (fits || !enough) furthest = end;
    enough ||= fits;
    if (!fits || size < limits.low) continue;
    if (best === -1 || (size <= limits.high && isBetter(following, items[best]))) best = end;
    if (size >= limits.high) break;
  }
  if (best !== -1) return best;
  return furthest === -1 ? Math.max(end, start + 1) : furthest;
}

function isBetter(one: CutItem, other: CutItem | undefined): boolean {
  if (!other) return true;
  return one.strength === other.strength ? one.hash < other.hash : one.strength > other.strength;
}
