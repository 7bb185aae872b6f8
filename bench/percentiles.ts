/** What half, and 95 of 100, of the runs took at most, in the unit in which they were timed. */
export interface Percentiles {
  p50: number;
  p95: number;
  runs: number;
}

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), runs: sorted.length };
}

/**
 * Times a run for each item, one after the other.
 *
 * @param warmUp items that are run first, and not timed
 */
export async function timeEach<T>(
  items: readonly T[],
  run: (item: T) => Promise<unknown>,
  warmUp: number,
): Promise<Percentiles> {
  const taken: number[] = [];
  for (const [index, item] of items.entries()) {
    const startedAt = performance.now();
    await run(item);
    if (index >= warmUp) taken.push(performance.now() - startedAt);
  }
  return percentilesOf(taken);
}
