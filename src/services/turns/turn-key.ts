import type { Queryable } from '../../db/database.ts';
import { claimOwnerKey, type OwnerKey } from '../followed/owner-key.ts';

/** The key under which a turn was asked for, and what was asked. */
export type TurnKey = OwnerKey;

/** The turn that a key stands for already: nothing was begun. */
export interface KeyedTurn {
  known: number;
  key: TurnKey;
}

/**
 * Takes the key in the transaction that begins a turn.
 *
 * @returns the turn that the key stands for already, or null when it is free, or there is none
 * @throws AppError `idempotency_key_reused`
 */
export async function claimTurnKey(tx: Queryable, key: TurnKey | null): Promise<KeyedTurn | null> {
  const known = await claimOwnerKey(tx, key, ({ turnNumber }) => turnNumber);
  return key === null || known === null ? null : { known, key };
}
