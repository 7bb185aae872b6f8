/** Seconds before attempt 2, 3, ...: doubling from 2 to at most 300. */
export function backoffSeconds(attempts: number): number {
  return Math.min(300, 2 ** Math.max(1, attempts));
}
