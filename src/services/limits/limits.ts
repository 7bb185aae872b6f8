import type { Quotas } from '../../contract/quota.ts';
import type { Database } from '../../db/database.ts';
import type { QueryUsage } from '../query-usage.ts';
import { createQuotas } from './quotas.ts';
import { createRateLimits, type PerMinute } from './rate-limits.ts';
import { createSpendingGuard, type Estimate, type Spends } from './spending.ts';

export interface LimitDeps {
  db: Database;
  queryUsage: QueryUsage;
  models: { answer: { id: string } };
  embeddingModel: { id: string };
  /** Of keys that have no limits of their own. */
  perMinute: PerMinute;
  /** Of workspaces that have none of their own. */
  quotas: Quotas;
  /** Tokens of one prompt of a turn, of a research run, and of one reply. */
  budgets: { turn: number; research: number; reply: number };
}

/** What the least of each takes: a prompt of the budget and its reply, or a token where nothing is known before. */
function estimatesOf({ models, embeddingModel, budgets }: LimitDeps): Record<Spends, Estimate> {
  const answered = { model: models.answer.id, outputTokens: budgets.reply };
  return {
    turn: { ...answered, inputTokens: budgets.turn },
    research: { ...answered, inputTokens: budgets.research },
    other: { model: embeddingModel.id, inputTokens: 1, outputTokens: 0 },
  };
}

/** What keys may send, and workspaces hold and spend. */
export function createLimits(deps: LimitDeps) {
  const { db, perMinute, queryUsage } = deps;
  const quotas = createQuotas({ db, queryUsage, defaults: deps.quotas });
  return {
    perMinute,
    rateLimits: createRateLimits({ db, perMinute }),
    quotas,
    spending: createSpendingGuard({ db, quotasOf: quotas.of, estimates: estimatesOf(deps) }),
  };
}
