import { createForge, type Forge, ForgeError } from '../../clients/typescript/src/index.ts';

/** A key that has sent too much waits so many times for each of its requests. */
const MOST_WAITS = 10;
/** Longer than the window of any limit. */
const LONGEST_WAIT_MS = 3_600_000;

export type Api = Forge;

/**
 * The operations of a service over HTTP. Somebody waits for the answer, so what cannot be had now is said at once; only the
 * limits of the key are waited for.
 *
 * @param origin of the service, with the path below which it is, if any
 * @param key sent as a bearer token; null: none
 */
export const createApi = (origin: string, key: string | null): Api =>
  createForge({
    baseUrl: origin,
    ...(key !== null && { apiKey: key }),
    attempts: 1 + MOST_WAITS,
    longestPauseMs: LONGEST_WAIT_MS,
    retryIf: (error) => error instanceof ForgeError && error.code === 'rate_limited',
  });
