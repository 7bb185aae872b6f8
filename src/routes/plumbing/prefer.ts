import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

/** Header of the operations that wait for work to end, for their schema. */
export const preferHeaders = z.object({
  prefer: z
    .string()
    .optional()
    .describe(
      'How long to wait for the work to end: `wait=N` seconds, 60 at most, or `respond-async` for not at all; 20 s where you say nothing (RFC 7240).',
    ),
});

/** How long the caller would wait for work to end (RFC 7240), and what to echo in `Preference-Applied`. */
export interface WaitPreference {
  waitMs: number;
  applied: string | null;
}

const DEFAULT_WAIT_SECONDS = 20;
/** Longest that anybody is kept waiting. */
export const MAX_WAIT_SECONDS = 60;

/** Reads `Prefer: wait=N` and `respond-async`; preferences that it does not know are ignored, as the RFC asks. */
export function waitPreference(request: FastifyRequest): WaitPreference {
  const header = [request.headers.prefer ?? []].flat().join(',');
  const preferences = header.split(',').map((preference) => preference.trim().toLowerCase());
  const wait = preferences
    .map((preference) => /^wait\s*=\s*(?:(\d{1,6})|"(\d{1,6})")\s*(?:;|$)/.exec(preference))
    .map((match) => match?.[1] ?? match?.[2])
    .find(Boolean);
  if (wait !== undefined) {
    const seconds = Math.min(Number(wait), MAX_WAIT_SECONDS);
    return { waitMs: seconds * 1000, applied: `wait=${seconds}` };
  }
  if (preferences.includes('respond-async')) return { waitMs: 0, applied: 'respond-async' };
  return { waitMs: DEFAULT_WAIT_SECONDS * 1000, applied: null };
}

/**
 * How long a reader would wait: by a parameter, or else by `Prefer: wait=N`; without either, not at all.
 *
 * @param seconds of the parameter
 */
export function waitAsked(request: FastifyRequest, seconds: number | undefined): WaitPreference {
  if (seconds !== undefined) return { waitMs: seconds * 1000, applied: null };
  const preference = waitPreference(request);
  return preference.applied === null ? { waitMs: 0, applied: null } : preference;
}
