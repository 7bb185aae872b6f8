import { Counter, Histogram, type Registry } from 'prom-client';
import { LONG_SECONDS } from './buckets.ts';

/** Where the vectors of texts came from: a call of the model, the cache, or the version before. */
export interface EmbeddedTexts {
  model: number;
  cache: number;
  kept: number;
}

/** Work in the background: jobs, the stages of ingestion, the vectors of what is stored. */
export function createJobMetrics(registry: Registry) {
  const registers = [registry];
  const jobs = new Histogram({
    name: 'forge_job_duration_seconds',
    help: 'Attempts at jobs, by kind and how they ended: completed, retried, postponed, given_up, released, lost.',
    labelNames: ['kind', 'outcome'] as const,
    buckets: LONG_SECONDS,
    registers,
  });
  const stages = new Histogram({
    name: 'forge_ingestion_stage_duration_seconds',
    help: 'Stages of ingestion that came to their end: converting, chunking (with the outline), embedding, storing.',
    labelNames: ['stage'] as const,
    buckets: LONG_SECONDS,
    registers,
  });
  const texts = new Counter({
    name: 'forge_embedding_texts_total',
    help: 'Sections of documents that needed a vector, by where it came from: the model, the cache, the version before (kept).',
    labelNames: ['source'] as const,
    registers,
  });
  for (const source of ['model', 'cache', 'kept']) texts.inc({ source }, 0);
  return {
    /** Names the kinds of jobs that there are, so that the first one that is given up is seen to be one more. */
    expect(kinds: readonly string[]): void {
      for (const kind of kinds) jobs.zero({ kind, outcome: 'given_up' });
    },
    settled: (kind: string, outcome: string, seconds: number) => jobs.observe({ kind, outcome }, seconds),
    stage: (stage: string, seconds: number) => stages.observe({ stage }, seconds),
    embedded(counts: EmbeddedTexts): void {
      for (const source of ['model', 'cache', 'kept'] as const) texts.inc({ source }, counts[source]);
    },
  };
}
