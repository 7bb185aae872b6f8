import type { Quotas } from '../../contract/quota.ts';
import type { Database } from '../../db/database.ts';
import type { QueryUsage } from '../query-usage.ts';
import type { Concurrency } from './concurrency.ts';
import { createQuotas } from './quotas.ts';
import { createRateLimits, type PerMinute } from './rate-limits.ts';
import { createSpendingGuard, type Estimate, type Spends } from './spending.ts';

export interface LimitDeps {
  db: Database;
  queryUsage: QueryUsage;
  models: { answer: { id: string }; summary: { id: string } };
  embeddingModel: { id: string };
  config: {
    /** Of keys that have no limits of their own. */
    perMinute: PerMinute;
    /** Of each workspace. */
    concurrency: Concurrency;
    /** Of workspaces that have none of their own. */
    quotas: Quotas;
    TURN_TOKEN_BUDGET: number;
    RESEARCH_TOKEN_BUDGET: number;
    MAX_OUTPUT_TOKENS: number;
    CONTEXTUAL_DOCUMENT_TOKENS: number;
  };
}

/** Tokens of a reply with the contexts of some leaves. */
const CONTEXTS_REPLY = 1_000;

/** What the least of each takes: a prompt of the budget and its reply, or a token where nothing is known before. */
function estimatesOf({ models, embeddingModel, config }: LimitDeps): Record<Spends, Estimate> {
  const answered = { model: models.answer.id, outputTokens: config.MAX_OUTPUT_TOKENS };
  return {
    turn: { ...answered, inputTokens: config.TURN_TOKEN_BUDGET },
    research: { ...answered, inputTokens: config.RESEARCH_TOKEN_BUDGET },
    contexts: {
      model: models.summary.id,
      inputTokens: config.CONTEXTUAL_DOCUMENT_TOKENS,
      outputTokens: CONTEXTS_REPLY,
    },
    other: { model: embeddingModel.id, inputTokens: 1, outputTokens: 0 },
  };
}

/** What keys may send, and workspaces hold and spend. */
export function createLimits(deps: LimitDeps) {
  const { db, config, queryUsage } = deps;
  const { perMinute } = config;
  const quotas = createQuotas({
    db,
    queryUsage,
    defaults: config.quotas,
    concurrency: config.concurrency,
  });
  return {
    perMinute,
    rateLimits: createRateLimits({ db, perMinute }),
    quotas,
    spending: createSpendingGuard({ db, quotasOf: quotas.of, estimates: estimatesOf(deps) }),
  };
}
