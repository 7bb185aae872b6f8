import { Counter, Histogram, type Registry } from 'prom-client';
import { LONG_SECONDS, SHORT_SECONDS } from './buckets.ts';

/** What runs by itself and has ended; times in milliseconds. */
export interface EndedRun {
  kind: 'turn' | 'research';
  status: string;
  timings: Readonly<Record<string, number | undefined>> | null;
}

/** Shown as the duration of the whole, not as one of its phases. */
const WHOLE = 'total';

/** Turns and research runs, and searches. */
export function createRunMetrics(registry: Registry) {
  const registers = [registry];
  const ended = new Counter({
    name: 'forge_runs_total',
    help: 'Turns and research runs that ended in this process, by how they ended.',
    labelNames: ['kind', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'forge_run_duration_seconds',
    help: 'Whole turns and research runs, however they ended.',
    labelNames: ['kind'] as const,
    buckets: LONG_SECONDS,
    registers,
  });
  const phases = new Histogram({
    name: 'forge_run_phase_duration_seconds',
    help: 'Steps of turns and research runs: route, embed, retrieve, overlap, rerank, assemble, first_token, answer.',
    labelNames: ['kind', 'phase'] as const,
    buckets: LONG_SECONDS,
    registers,
  });
  const retrieval = new Histogram({
    name: 'forge_retrieval_duration_seconds',
    help: 'Searches of documents and turns, without the embedding of the question: of turns, and of requests for a search, those with the time that they wait for a reranker.',
    labelNames: ['caller'] as const,
    buckets: SHORT_SECONDS,
    registers,
  });
  return {
    ended({ kind, status, timings }: EndedRun): void {
      ended.inc({ kind, status });
      for (const [phase, ms] of Object.entries(timings ?? {})) {
        if (ms === undefined) continue;
        if (phase === WHOLE) durations.observe({ kind }, ms / 1_000);
        else phases.observe({ kind, phase }, ms / 1_000);
      }
    },
    searched: (caller: 'turn' | 'search', seconds: number) => retrieval.observe({ caller }, seconds),
  };
}
