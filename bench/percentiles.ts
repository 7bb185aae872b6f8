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
