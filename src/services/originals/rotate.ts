import type { Database } from '../../db/database.ts';
import { type ForeignOriginal, holdForeignOriginal, replaceStored } from '../../db/original-keys.ts';
import type { Originals } from './originals.ts';

/**
 * Brings every original that can be read to the active key, one at a time, each in a transaction of its own: the service goes
 * on, and several processes share the work. Those whose key is missing stay as they are.
 *
 * @param options.isStopped asked between two originals
 * @returns how many there were
 */
export async function rotateOriginals(
  db: Database,
  originals: Originals,
  { isStopped = () => false }: { isStopped?: () => boolean } = {},
): Promise<number> {
  let last: ForeignOriginal | null = null;
  let rotated = 0;
  while (!isStopped()) {
    const next: ForeignOriginal | null = await rotateNext(db, originals, last);
    if (!next) break;
    last = next;
    rotated += 1;
  }
  return rotated;
}

const rotateNext = (
  db: Database,
  originals: Originals,
  after: ForeignOriginal | null,
): Promise<ForeignOriginal | null> =>
  db.transaction(async (tx) => {
    const next = await holdForeignOriginal(tx, originals, after);
    if (!next) return null;
    const bytes = await originals.readWhole(tx, next, next, next.byteLength);
    if (bytes) await replaceStored(tx, next, originals.sealed(next, bytes));
    return next;
  });
