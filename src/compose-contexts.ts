import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { EmbeddingModel } from './embeddings/model.ts';
import type { JobHandler } from './jobs/run-job.ts';
import type { LanguageModel } from './llm/model.ts';
import { type ContextService, createContextService } from './services/contexts/contexts.ts';
import { createContextHandler } from './services/contexts/job.ts';
import type { ContextTerms } from './services/contexts/switch.ts';
import { createLimits } from './services/limits/limits.ts';
import type { QueryUsage } from './services/query-usage.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** What contexts stand on. */
interface ContextGround {
  config: Config;
  db: Database;
  system: Database;
  embeddingModel: EmbeddingModel;
  models: { answer: LanguageModel; summary: LanguageModel };
  queryUsage: QueryUsage;
  metrics: Metrics;
  onJob: () => void;
  onJobsRemoved: () => void;
}

/** Whether contexts are written on leaves, and by what. */
export const contextTerms = ({ config, models }: Pick<ContextGround, 'config' | 'models'>): ContextTerms => ({
  model: models.summary,
  byDefault: config.CONTEXTUAL === 'on',
  partTokens: config.CONTEXTUAL_DOCUMENT_TOKENS,
});

/** What a model writes on leaves. */
export const createContexts = (ground: ContextGround): ContextService =>
  createContextService({ ...ground, terms: contextTerms(ground) });

/** The job that writes it. */
export const createContextJob = (ground: ContextGround): JobHandler =>
  createContextHandler({
    ...ground,
    summaryModel: ground.models.summary,
    spending: createLimits({ ...ground, db: ground.system }).spending,
    terms: contextTerms(ground),
    onEmbedded: ground.metrics.jobs.embedded,
  });
