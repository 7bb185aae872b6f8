import type { QuotaName, Quotas } from '../contract/quota.ts';
import type { Queryable } from './database.ts';
import type { UsageTotal } from './usage.ts';

/** What can be held: counted as it is, while what was spent is summed up as it goes. */
export const HELD = ['projects', 'files', 'bytes', 'keys'] as const satisfies QuotaName[];
export type HeldName = (typeof HELD)[number];
export type Held = Record<HeldName, number>;

const OWN = 'select quotas from workspaces where workspace_id = $1';

/** The quotas of the workspace's own, where there are any; null when there is no workspace. */
export async function selectQuotas(db: Queryable, workspaceId: string): Promise<Partial<Quotas> | null> {
  const { rows } = await db.query<{ quotas: Partial<Quotas> }>(OWN, [workspaceId]);
  return rows[0]?.quotas ?? null;
}

/**
 * The same, and the workspace is not removed until the transaction ends: to be asked for before anything of the workspace is
 * held, or the two would wait for each other.
 */
export async function keepQuotas(tx: Queryable, workspaceId: string): Promise<Partial<Quotas> | null> {
  const { rows } = await tx.query<{ quotas: Partial<Quotas> }>(`${OWN} for key share`, [workspaceId]);
  return rows[0]?.quotas ?? null;
}

/** Lets one transaction at a time compare what the workspace holds with what it may. */
export async function holdQuotas(tx: Queryable, workspaceId: string): Promise<void> {
  await tx.query('select from workspaces where workspace_id = $1 for no key update', [workspaceId]);
}

/** What the workspace holds; what is not asked for is 0, and costs nothing. */
export async function selectHeld(
  db: Queryable,
  workspaceId: string,
  names: readonly HeldName[],
): Promise<Held> {
  const { rows } = await db.query<Held>(
    `select
       (select count(*)::float8 from projects where workspace_id = $1 and kind <> 'library' and $2) as projects,
       (select count(*)::float8 from files where workspace_id = $1 and $3) as files,
       (select coalesce(sum(byte_length), 0)::float8 from file_versions where workspace_id = $1 and $4) as bytes,
       (select count(*)::float8 from api_keys where workspace_id = $1 and $5) as keys`,
    [workspaceId, ...HELD.map((name) => names.includes(name))],
  );
  if (!rows[0]) throw new Error('a count gave no row');
  return rows[0];
}

/** What the workspace has spent this month, in UTC, by model, and when the next one begins. */
export async function selectSpending(
  db: Queryable,
  workspaceId: string,
): Promise<{ resetsAt: Date; totals: Omit<UsageTotal, 'phase'>[] }> {
  const { rows } = await db.query<{ resets_at: Date; model: string | null } & Omit<UsageTotal, 'phase'>>(
    `with this as (select date_trunc('month', now() at time zone 'utc') as month)
     select (this.month + interval '1 month') at time zone 'utc' as resets_at, model, sum(calls)::float8 as calls,
       sum(input_tokens)::float8 as input_tokens, sum(cached_tokens)::float8 as cached_tokens,
       sum(cache_write_tokens)::float8 as cache_write_tokens, sum(output_tokens)::float8 as output_tokens
     from this left join spending s on s.workspace_id = $1 and s.month = this.month::date
     group by this.month, model order by model`,
    [workspaceId],
  );
  if (!rows[0]) throw new Error('a sum gave no row');
  const totals = rows.flatMap(({ resets_at: _at, model, ...row }) =>
    model === null ? [] : [{ ...row, model }],
  );
  return { resetsAt: rows[0].resets_at, totals };
}
