import type { Account } from '../contract/usage.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** The model calls of one phase with one model, summed up. */
export type UsageTotal = Omit<Account['entries'][number], 'cost_usd'>;

/** Adds calls that belong to no turn. Nothing is added for a project that is gone. */
export async function addUsage(
  db: Queryable,
  scope: Scope,
  used: {
    phase:
      | 'file_summary'
      | 'document_summary'
      | 'leaf_contexts'
      | 'embed_files'
      | 'embed_turns'
      | 'embed_queries'
      | 'rerank';
    model: string;
    calls: number;
  } & Partial<UsageTotal>,
): Promise<void> {
  if (used.calls === 0) return;
  await db.query(
    `insert into usage_totals as u (workspace_id, project_id, phase, model, calls, input_tokens, cached_tokens,
       cache_write_tokens, output_tokens)
     select workspace_id, project_id, $3, $4, $5::bigint, $6::bigint, $7::bigint, $8::bigint, $9::bigint
     from projects where workspace_id = $1 and project_id = $2 for key share
     on conflict (workspace_id, project_id, phase, model, day) do update set calls = u.calls + excluded.calls,
       input_tokens = u.input_tokens + excluded.input_tokens, cached_tokens = u.cached_tokens + excluded.cached_tokens,
       cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
       output_tokens = u.output_tokens + excluded.output_tokens`,
    [
      scope.workspaceId,
      scope.projectId,
      used.phase,
      used.model,
      used.calls,
      used.input_tokens ?? 0,
      used.cached_tokens ?? 0,
      used.cache_write_tokens ?? 0,
      used.output_tokens ?? 0,
    ],
  );
}

/**
 * Every model call of a project: those of its turns and runs from their rows, the others from the totals.
 *
 * @param since the first day that counts, `YYYY-MM-DD` in UTC, a turn's or a run's being that of its end; null: from the beginning
 */
export async function selectUsage(db: Queryable, scope: Scope, since: string | null): Promise<UsageTotal[]> {
  const { rows } = await db.query<UsageTotal>(
    `select phase, model, sum(calls)::float8 as calls, sum(input_tokens)::float8 as input_tokens,
       sum(cached_tokens)::float8 as cached_tokens, sum(cache_write_tokens)::float8 as cache_write_tokens,
       sum(output_tokens)::float8 as output_tokens
     from (
       select phase, model, calls, input_tokens, cached_tokens, cache_write_tokens, output_tokens from usage_totals
       where workspace_id = $1 and project_id = $2 and ($3::date is null or day >= $3::date)
       union all
       select p.phase, p.used->>'model', (p.used->>'calls')::bigint, (p.used->>'input_tokens')::bigint,
         (p.used->>'cached_tokens')::bigint, (p.used->>'cache_write_tokens')::bigint, (p.used->>'output_tokens')::bigint
       from (
         select usage, completed_at, created_at from turns
         where workspace_id = $1 and project_id = $2 and usage is not null
         union all
         select usage, completed_at, created_at from research_runs
         where workspace_id = $1 and project_id = $2 and usage is not null
       ) t cross join lateral jsonb_each(t.usage->'by_phase') as p(phase, used)
       where $3::date is null or (coalesce(t.completed_at, t.created_at) at time zone 'utc')::date >= $3::date
     ) every_call
     group by phase, model order by phase, model`,
    [scope.workspaceId, scope.projectId, since],
  );
  return rows;
}
