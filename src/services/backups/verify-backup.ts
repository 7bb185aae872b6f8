import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../db/open.ts';
import type { Backup } from './open-backup.ts';
import { restoreBackup } from './restore-backup.ts';

/**
 * Restores a backup into a temporary embedded database, and compares every table with what was backed up. It needs room in
 * the folder for temporary files: about as much as the database itself.
 *
 * @throws BackupError when it cannot be restored, or is not the same
 */
export async function verifyBackup(backup: Backup): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-verify-'));
  try {
    const db = await openDatabase({ url: undefined, dataDir: folder, poolSize: 1 });
    await restoreBackup(db, backup, { replace: false, verify: true }).finally(db.close);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
