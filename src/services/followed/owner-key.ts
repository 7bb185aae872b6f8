import type { Queryable } from '../../db/database.ts';
import { claimKey, findKey, type KeyOwner, type KeyRecord } from '../../db/idempotency.ts';
import { keyReused } from '../idempotency.ts';

/** The key under which something was asked for, and what was asked. */
export interface OwnerKey extends KeyOwner {
  fingerprint: string;
}

/**
 * Takes a key in the transaction that begins what it is to stand for: who comes second waits for that transaction, and
 * whatever refuses it frees the key with it.
 *
 * @param ownerOf what of a kind a key stands for
 * @returns what the key stands for already, or null when it is free, or there is none
 * @throws AppError `idempotency_key_reused`
 */
export async function claimOwnerKey<I>(
  tx: Queryable,
  key: OwnerKey | null,
  ownerOf: (record: KeyRecord) => I | null,
): Promise<I | null> {
  if (!key) return null;
  const claim = { fingerprint: key.fingerprint, holder: 'owner', seconds: 0 };
  if (await claimKey(tx, key, claim)) return null;
  const found = await findKey(tx, key);
  const owner = found && ownerOf(found);
  if (!found || owner === null || found.fingerprint !== key.fingerprint) throw keyReused();
  return owner;
}
