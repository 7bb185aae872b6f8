import type { Account } from '../contract/usage.ts';
import type { Database } from '../db/database.ts';
import { selectUsage, type UsageTotal } from '../db/usage.ts';
import { costUsd } from '../llm/pricing.ts';
import type { Scope } from '../scope.ts';
import { requirePlace } from './places.ts';
import type { QueryUsage } from './query-usage.ts';

type PricedUsage = Account['total'];
type Entry = Account['entries'][number];

const NOTHING: PricedUsage = {
  calls: 0,
  input_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
};

/** The accounts of a project, or of the library. */
export function createUsageService({ db, queryUsage }: { db: Database; queryUsage: QueryUsage }) {
  return {
    /**
     * @param since the first day that counts, `YYYY-MM-DD` in UTC; left out: from the beginning
     * @throws AppError `project_not_found`
     */
    async of(scope: Scope, since?: string): Promise<Account> {
      await requirePlace(db, scope);
      await queryUsage.flush();
      const entries = (await selectUsage(db, scope, since ?? null)).map(priced);
      return {
        total: sumOf(entries),
        by_phase: grouped(entries, ({ phase }) => phase).map(([phase, group]) => ({
          phase,
          ...sumOf(group),
        })),
        by_model: grouped(entries, ({ model }) => model).map(([model, group]) => ({
          model,
          ...sumOf(group),
        })),
        entries,
      };
    },
  };
}

export type UsageService = ReturnType<typeof createUsageService>;

function priced(total: UsageTotal): Entry {
  const usage = {
    inputTokens: total.input_tokens,
    cachedTokens: total.cached_tokens,
    cacheWriteTokens: total.cache_write_tokens,
    outputTokens: total.output_tokens,
  };
  const cost = costUsd(total.model, usage, total.calls);
  return { ...total, cost_usd: cost === null ? null : rounded(cost) };
}

function grouped(entries: readonly Entry[], keyOf: (entry: Entry) => string): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return [...groups];
}

const sumOf = (entries: readonly Entry[]): PricedUsage =>
  entries.reduce<PricedUsage>(
    (sum, entry) => ({
      calls: sum.calls + entry.calls,
      input_tokens: sum.input_tokens + entry.input_tokens,
      cached_tokens: sum.cached_tokens + entry.cached_tokens,
      cache_write_tokens: sum.cache_write_tokens + entry.cache_write_tokens,
      output_tokens: sum.output_tokens + entry.output_tokens,
      cost_usd:
        sum.cost_usd === null || entry.cost_usd === null ? null : rounded(sum.cost_usd + entry.cost_usd),
    }),
    NOTHING,
  );

const rounded = (usd: number): number => Math.round(usd * 1e6) / 1e6;
