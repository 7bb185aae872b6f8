import { z } from 'zod';
import { integer, number, optional, withDefault } from './schemas.ts';

/** The settings of what orders passages anew. */
export const rerankingSettings = {
  RERANK_PROVIDER: withDefault(z.enum(['off', 'voyage', 'cohere', 'tei', 'local']), 'off'),
  RERANK_MODEL: optional(z.string()),
  RERANK_MODEL_DIR: optional(z.string()),
  RERANK_WORKERS: withDefault(integer(1, 16), 2),
  RERANK_BASE_URL: optional(z.url()),
  RERANK_API_KEY: optional(z.string()),
  RERANK_CANDIDATES: withDefault(integer(2, 100), 40),
  RERANK_DOCUMENT_TOKENS: withDefault(integer(32, 4_000), 256),
  RERANK_BATCH_SIZE: optional(integer(1, 1_000)),
  RERANK_TIMEOUT_MS: withDefault(integer(50, 10_000), 1_500),
  RERANK_MIN_SCORE: optional(number(0, 1)),
};

const schema = z.object(rerankingSettings);
export type RerankingSettings = z.infer<typeof schema>;

const MODELS = {
  off: '',
  voyage: 'rerank-2.5-lite',
  cohere: 'rerank-v4.0-fast',
  tei: 'tei',
  local: '',
} as const;

/** The settings with what follows from them. */
export const resolveReranking = (settings: RerankingSettings) => ({
  RERANK_MODEL: settings.RERANK_MODEL ?? MODELS[settings.RERANK_PROVIDER],
});

/** What the settings of the reranker contradict in each other; empty when nothing. */
export function rerankingProblems(
  settings: RerankingSettings & { VOYAGE_API_KEY?: string | undefined },
): string[] {
  const { RERANK_PROVIDER: provider, RERANK_BASE_URL: address } = settings;
  const needs = (name: string, when: string) => `${name}: is needed when ${when}`;
  if (provider === 'voyage' && settings.VOYAGE_API_KEY === undefined) {
    return [needs('VOYAGE_API_KEY', 'RERANK_PROVIDER is voyage')];
  }
  if (provider === 'tei' && address === undefined) {
    return [needs('RERANK_BASE_URL', 'RERANK_PROVIDER is tei')];
  }
  if (provider === 'local' && settings.RERANK_MODEL_DIR === undefined) {
    return [needs('RERANK_MODEL_DIR', 'RERANK_PROVIDER is local')];
  }
  if (provider !== 'cohere') return [];
  if (address === undefined && settings.RERANK_API_KEY === undefined) {
    return [needs('RERANK_API_KEY', 'RERANK_PROVIDER is cohere and RERANK_BASE_URL names no other server')];
  }
  return address !== undefined && settings.RERANK_MODEL === undefined
    ? [needs('RERANK_MODEL', 'RERANK_BASE_URL names a server')]
    : [];
}
