import type { RateUse } from '../embeddings/rate-meter.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** What all instances have asked of a provider lately; times are milliseconds of the database's clock. */
export interface ProviderRates {
  used: RateUse;
  /** Left of the pause that the provider has asked for. */
  pausedMs: number;
  now: number;
}

const PAUSED_MS = `coalesce(greatest(0, extract(epoch from paused_until - clock_timestamp()) * 1000), 0)::float8`;

/** Reads it and holds it until the transaction ends, so that one instance at a time adds to it. */
export async function holdRates(tx: Queryable, provider: string): Promise<ProviderRates> {
  const { rows } = await tx.query<{ windows: RateUse; paused_ms: number; now: number }>(
    `insert into provider_rates as r (provider) values ($1)
     on conflict (provider) do update set provider = excluded.provider
     returning windows, ${PAUSED_MS} as paused_ms, floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    [provider],
  );
  const [row] = rows;
  if (!row) throw new Error('the rates of a provider gave no row');
  return { used: row.windows, pausedMs: row.paused_ms, now: row.now };
}

export async function updateRates(tx: Queryable, provider: string, used: RateUse): Promise<void> {
  await tx.query('update provider_rates set windows = $2 where provider = $1', [provider, jsonParam(used)]);
}

/** Notes that the provider wants no call for so long; a longer pause stays. */
export async function pauseProvider(db: Queryable, provider: string, ms: number): Promise<void> {
  await db.query(
    `insert into provider_rates as r (provider, paused_until)
     values ($1, clock_timestamp() + make_interval(secs => $2::float8 / 1000))
     on conflict (provider) do update set paused_until = greatest(r.paused_until, excluded.paused_until)`,
    [provider, ms],
  );
}

/** Milliseconds that are left of a provider's pause. */
export async function findPause(db: Queryable, provider: string): Promise<number> {
  const { rows } = await db.query<{ paused_ms: number }>(
    `select ${PAUSED_MS} as paused_ms from provider_rates where provider = $1`,
    [provider],
  );
  return rows[0]?.paused_ms ?? 0;
}
