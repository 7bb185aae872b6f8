import type { Queryable } from '../../db/database.ts';
import { claimKey, findKey, type KeyOwner } from '../../db/idempotency.ts';
import { keyReused } from '../idempotency.ts';

/** The key under which a turn was asked for, and what was asked. */
export interface TurnKey extends KeyOwner {
  fingerprint: string;
}

/** The turn that a key stands for already: nothing was begun. */
export interface KeyedTurn {
  known: number;
  key: TurnKey;
}

/**
 * Takes the key in the transaction that begins a turn: who comes second waits for that transaction, and whatever
 * refuses the turn frees the key with it.
 *
 * @returns the turn that the key stands for already, or null when it is free, or there is none
 * @throws AppError `idempotency_key_reused`
 */
export async function claimTurnKey(tx: Queryable, key: TurnKey | null): Promise<KeyedTurn | null> {
  if (!key) return null;
  const claim = { fingerprint: key.fingerprint, holder: 'turn', seconds: 0 };
  if (await claimKey(tx, key, claim)) return null;
  const found = await findKey(tx, key);
  if (!found || found.turnNumber === null || found.fingerprint !== key.fingerprint) throw keyReused();
  return { known: found.turnNumber, key };
}
