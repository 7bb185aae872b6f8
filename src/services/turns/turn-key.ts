import type { Queryable } from '../../db/database.ts';
import { claimKey, findKey, type KeyOwner } from '../../db/idempotency.ts';
import { keyReused } from '../idempotency.ts';

/** The key under which a turn was asked for, and what was asked. */
export interface TurnKey extends KeyOwner {
  fingerprint: string;
}

/**
 * Takes the key in the transaction that begins a turn: who comes second waits for that transaction, and whatever
 * refuses the turn frees the key with it.
 *
 * @returns the number of the turn that the key stands for already, or null when it is free
 * @throws AppError `idempotency_key_reused`
 */
export async function claimTurnKey(tx: Queryable, key: TurnKey): Promise<number | null> {
  const claim = { fingerprint: key.fingerprint, holder: 'turn', seconds: 0 };
  if (await claimKey(tx, key, claim)) return null;
  const found = await findKey(tx, key);
  if (!found || found.turnNumber === null || found.fingerprint !== key.fingerprint) throw keyReused();
  return found.turnNumber;
}
