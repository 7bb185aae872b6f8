import type { SpeculationReport } from '../../contract/speculation.ts';

/** A search that was begun before the router had said whether, and with which probe, one is needed. */
export interface Speculation {
  /** The router has decided: what becomes of the search. */
  routed(outcome: SpeculationReport['outcome']): void;
  /** How the two ran side by side; null before the router has decided. */
  view(): SpeculationReport | null;
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/**
 * Watches over a search that begins now, as the router is asked.
 *
 * @param search settles when the search has ended, however it does
 * @param probe the key of the probe that it goes by
 * @param elapsed milliseconds since the turn began
 */
export function watchSpeculation(
  search: Promise<unknown>,
  probe: string | null,
  elapsed: () => number,
): Speculation {
  const started = elapsed();
  let finished: number | null = null;
  let decision: { at: number; outcome: SpeculationReport['outcome'] } | null = null;
  const finish = (): void => {
    finished = elapsed();
  };
  search.then(finish, finish);
  return {
    routed(outcome) {
      decision = { at: elapsed(), outcome };
    },
    view() {
      if (!decision) return null;
      const { at, outcome } = decision;
      const until = finished ?? Number.POSITIVE_INFINITY;
      return {
        probe,
        started_ms: rounded(started),
        finished_ms: finished === null ? null : rounded(finished),
        route_finished_ms: rounded(at),
        overlap_ms: rounded(Math.min(until, at) - started),
        used: outcome === 'used',
        outcome,
      };
    },
  };
}
