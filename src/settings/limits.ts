import { z } from 'zod';
import type { Quotas } from '../contract/quota.ts';
import { integer, number, optional, withDefault } from './schemas.ts';

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * The settings of what a key may ask for and a workspace may have under way, 0: as much as it likes; and of what a workspace may
 * hold and spend, unset: no limit.
 */
export const limitSettings = {
  RATE_LIMIT_REQUESTS_PER_MINUTE: withDefault(integer(0, 1_000_000), 3_000),
  RATE_LIMIT_EXPENSIVE_PER_MINUTE: withDefault(integer(0, 1_000_000), 300),
  MAX_CONCURRENT_TURNS: withDefault(integer(0, 1_000_000), 500),
  MAX_CONCURRENT_RESEARCH: withDefault(integer(0, 1_000_000), 100),
  QUOTA_PROJECTS: optional(integer(0, MOST)),
  QUOTA_FILES: optional(integer(0, MOST)),
  QUOTA_BYTES: optional(integer(0, MOST)),
  QUOTA_KEYS: optional(integer(0, MOST)),
  QUOTA_TOKENS_PER_MONTH: optional(integer(0, MOST)),
  QUOTA_USD_PER_MONTH: optional(number(0)),
};

const settingsSchema = z.object(limitSettings);

/** Requests a minute by class and what may be under way, 0: no limit, and the quotas of workspaces that have none of their own. */
export const resolveLimits = (settings: z.infer<typeof settingsSchema>) => ({
  perMinute: {
    requests: settings.RATE_LIMIT_REQUESTS_PER_MINUTE,
    expensive: settings.RATE_LIMIT_EXPENSIVE_PER_MINUTE,
  },
  concurrency: { turns: settings.MAX_CONCURRENT_TURNS, research: settings.MAX_CONCURRENT_RESEARCH },
  quotas: {
    projects: settings.QUOTA_PROJECTS ?? null,
    files: settings.QUOTA_FILES ?? null,
    bytes: settings.QUOTA_BYTES ?? null,
    keys: settings.QUOTA_KEYS ?? null,
    tokens_per_month: settings.QUOTA_TOKENS_PER_MONTH ?? null,
    usd_per_month: settings.QUOTA_USD_PER_MONTH ?? null,
  } satisfies Quotas,
});
