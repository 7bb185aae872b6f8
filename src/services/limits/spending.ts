import type { Quotas } from '../../contract/quota.ts';
import type { Database } from '../../db/database.ts';
import { selectSpending } from '../../db/quotas.ts';
import { AppError } from '../../errors.ts';
import { costUsd } from '../../llm/pricing.ts';
import { quotaExceeded } from './quota-exceeded.ts';

/** What a workspace has spent this month. */
export interface Spending {
  tokens: number;
  /** At list prices; what has none is not in it. */
  usd: number;
  /** When the next month begins. */
  resetsAt: Date;
}

/** What a request can spend: a turn, a research run, contexts of leaves, or what is not known before, as with a file. */
export type Spends = 'turn' | 'research' | 'contexts' | 'other';

/** What a call of a model takes. */
export interface Estimate {
  model: string;
  inputTokens: number;
  outputTokens: number;
}

/** What a workspace may spend and has spent is believed for so long. */
const BELIEVED_MS = 1_000;
/** Workspaces that are remembered, at most. */
const MOST_REMEMBERED = 10_000;

/** Sums up what a workspace has spent this month. */
export async function spendingOf(db: Database, workspaceId: string): Promise<Spending> {
  const { resetsAt, totals } = await selectSpending(db, workspaceId);
  let [tokens, usd] = [0, 0];
  for (const { model, calls, ...total } of totals) {
    const usage = {
      inputTokens: total.input_tokens,
      cachedTokens: total.cached_tokens,
      cacheWriteTokens: total.cache_write_tokens,
      outputTokens: total.output_tokens,
    };
    tokens += total.input_tokens + total.output_tokens;
    usd += costUsd(model, usage, calls) ?? 0;
  }
  return { tokens, usd: Math.round(usd * 1e6) / 1e6, resetsAt };
}

export interface SpendingGuardDeps {
  db: Database;
  quotasOf: (workspaceId: string) => Promise<Quotas>;
  estimates: Record<Spends, Estimate>;
}

/** Sees to it that workspaces spend no more in a month than they may. */
export function createSpendingGuard({ db, quotasOf, estimates }: SpendingGuardDeps) {
  const remembered = new Map<string, { at: number; known: Promise<Known> }>();

  async function read(workspaceId: string): Promise<Known> {
    const quotas = await quotasOf(workspaceId);
    const isLimited = quotas.tokens_per_month !== null || quotas.usd_per_month !== null;
    return { quotas, spent: isLimited ? await spendingOf(db, workspaceId) : null };
  }

  function lately(workspaceId: string): Promise<Known> {
    const at = performance.now();
    const before = remembered.get(workspaceId);
    if (before && at - before.at < BELIEVED_MS) return before.known;
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    const known = read(workspaceId);
    known.catch(() => remembered.delete(workspaceId));
    remembered.set(workspaceId, { at, known });
    return known;
  }

  return {
    /**
     * Refuses a request for which what is left of the month may not do. What is under way goes on, and may spend more.
     *
     * @throws AppError `quota_exceeded`, `price_unknown` for a model whose cost a quota in US dollars cannot count
     */
    async assertMaySpend(workspaceId: string, spends: Spends): Promise<void> {
      const { quotas, spent } = await lately(workspaceId);
      if (!spent) return;
      const estimate = estimates[spends];
      const { tokens: used, usd, resetsAt } = spent;
      const { tokens_per_month: tokens, usd_per_month: dollars } = quotas;
      if (tokens !== null && used + estimate.inputTokens + estimate.outputTokens > tokens) {
        throw quotaExceeded('tokens_per_month', { used, limit: tokens, resetsAt });
      }
      if (dollars === null) return;
      const cost = costUsd(estimate.model, estimate);
      if (cost === null) {
        throw new AppError('price_unknown', {
          detail: `The workspace has a quota in US dollars, and the price of ${estimate.model} is not known.`,
        });
      }
      if (usd + cost > dollars) throw quotaExceeded('usd_per_month', { used: usd, limit: dollars, resetsAt });
    },

    /** The quotas of a workspace have changed. */
    forget(workspaceId: string): void {
      remembered.delete(workspaceId);
    },
  };
}

interface Known {
  quotas: Quotas;
  /** Null: it may spend what it likes. */
  spent: Spending | null;
}

export type SpendingGuard = ReturnType<typeof createSpendingGuard>;
