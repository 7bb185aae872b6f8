import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import {
  claimKey,
  extendKey,
  findKey,
  finishKey,
  type KeyOwner,
  releaseKey,
  type StoredAnswer,
} from '../db/idempotency.ts';
import { AppError } from '../errors.ts';
import { startHeartbeat } from '../heartbeat.ts';

/** A claim outlives a process that was killed by this much. */
const LEASE_SECONDS = 30;

/** A request that runs under a key. */
export interface KeyClaim {
  /** Its answer, to be given again; `fingerprint` is the whole one, where the body was read only now. */
  finish(fingerprint: string, answer: StoredAnswer): Promise<void>;
  /** It has produced nothing: the key is free again. */
  release(): Promise<void>;
}

/** What a key stands for when a request comes with it. */
export type KeyOutcome =
  | { kind: 'claimed'; claim: KeyClaim }
  | { kind: 'answered'; fingerprint: string; answer: StoredAnswer };

export const keyReused = (): AppError =>
  new AppError('idempotency_key_reused', {
    detail:
      'This Idempotency-Key came with another request before. Send that request again as it was, or choose another key.',
  });

/** Idempotency keys of plain requests; turns take theirs in the transaction that begins them. */
export function createIdempotencyService(deps: {
  db: Database;
  log: { warn(details: object, message: string): void };
  leaseSeconds?: number;
}) {
  const { db, log, leaseSeconds = LEASE_SECONDS } = deps;

  function hold(owner: KeyOwner, holder: string): KeyClaim {
    const heartbeat = startHeartbeat({
      leaseSeconds,
      extend: () => extendKey(db, owner, { holder, seconds: leaseSeconds }),
      onError: (err) => log.warn({ err }, 'an idempotency key could not be kept'),
    });
    heartbeat.signal.addEventListener('abort', () =>
      log.warn({ err: heartbeat.signal.reason }, 'an idempotency key was lost while its request ran'),
    );
    return {
      async finish(fingerprint, answer) {
        heartbeat.stop();
        await finishKey(db, owner, holder, { fingerprint, answer });
      },
      async release() {
        heartbeat.stop();
        await releaseKey(db, owner, holder);
      },
    };
  }

  return {
    /**
     * Takes the key for a request, or finds what it stands for.
     *
     * @param fingerprint what is known of the request: the whole of it, or its beginning when the body comes later
     * @throws AppError `idempotency_key_reused`, `idempotency_in_progress`
     */
    async take(owner: KeyOwner, fingerprint: string): Promise<KeyOutcome> {
      const holder = randomUUID();
      if (await claimKey(db, owner, { fingerprint, holder, seconds: leaseSeconds })) {
        return { kind: 'claimed', claim: hold(owner, holder) };
      }
      const found = await findKey(db, owner);
      if (
        found &&
        (found.turnNumber !== null || found.runId !== null || !agree(found.fingerprint, fingerprint))
      )
        throw keyReused();
      if (found?.answer) return { kind: 'answered', fingerprint: found.fingerprint, answer: found.answer };
      throw new AppError('idempotency_in_progress', {
        detail: 'The first request with this Idempotency-Key is still running. Send it again in a moment.',
        retryAfterSeconds: 1,
      });
    },
  };
}

const agree = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

export type IdempotencyService = ReturnType<typeof createIdempotencyService>;
