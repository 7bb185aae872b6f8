import type { Command } from 'commander';
import { openBackup } from '../../services/backups/open-backup.ts';
import { restoreBackup } from '../../services/backups/restore-backup.ts';
import { verifyBackup } from '../../services/backups/verify-backup.ts';
import { writeBackup } from '../../services/backups/write-backup.ts';
import { createApi } from '../api.ts';
import { targetOf } from '../connection.ts';
import { outputOf, type Terminal } from '../context.ts';
import { withDatabaseAsItIs } from '../database.ts';
import { CliError, EXIT } from '../exit.ts';
import { bodyOf, saveFile } from '../save-file.ts';

interface BackupOptions {
  cache: boolean;
  verify: boolean;
}

const BACKUP_HELP = `
With FORGE_URL the service makes it while it goes on (its key needs the scope service). Without, it is read from the
database of the settings: on a Postgres server the service may run, on a data folder it may not.

Example:
  FORGE_URL=http://127.0.0.1:3000 forge backup forge.backup`;

const RESTORE_HELP = `
The database of the settings gets what is in the backup, whichever kind of database that was of, and is brought to the
newest schema: all of it or, when something fails, nothing. Stop the service before.

Example:
  DATABASE_URL=postgres://forge@db/forge forge restore forge.backup`;

/** `forge backup` and `forge restore`: the whole database as one file. */
export function backupCommands(program: Command, terminal: Terminal): void {
  program
    .command('backup')
    .description('Write the whole database into one file, while the service runs')
    .argument('<file>', 'the file to write')
    .option('--no-cache', 'leave the cache of embeddings out')
    .option('--no-verify', 'do not restore it into a temporary database and compare')
    .addHelpText('after', BACKUP_HELP)
    .action((path: string, options: BackupOptions, command: Command) =>
      backUp(path, options, { command, terminal }),
    );

  program
    .command('restore')
    .description('Put a backup into the database of the settings')
    .argument('<file>', 'the file that `forge backup` wrote')
    .option('--replace', 'remove what is in the database')
    .option('--no-verify', 'do not read again and compare what was written')
    .addHelpText('after', RESTORE_HELP)
    .action((path: string, options: { replace?: boolean; verify: boolean }, command: Command) =>
      restore(path, options, { command, terminal }),
    );
}

type Invocation = Parameters<typeof outputOf>[0];

async function backUp(path: string, { cache, verify }: BackupOptions, invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const out = outputOf(invocation);
  const controller = new AbortController();
  const release = terminal.onInterrupt(() => controller.abort());
  const { signal } = controller;
  const began = performance.now();
  let seconds = 0;
  const check = async (file: string) => {
    seconds = (performance.now() - began) / 1000;
    if (verify) await checkBackup(file);
  };
  try {
    const { url, key } = targetOf(terminal.environment);
    const bytes = await (url === undefined
      ? withDatabaseAsItIs(terminal.environment, async (db) =>
          saveFile(await writeBackup(db, { withCache: cache, signal }), path, { signal, check }),
        )
      : saveFile(
          bodyOf(await createApi(url, key ?? null).send('post', '/backup', { query: { cache }, signal })),
          path,
          { signal, check },
        ));
    if (out.isJson) return out.json({ object: 'backup', path, bytes, seconds, verified: verify });
    out.line(
      `${path}: ${bytes} bytes in ${seconds.toFixed(1)} s (${(bytes / 1e6 / seconds).toFixed(1)} MB/s)`,
    );
    if (verify) out.line('restored into a temporary database, every table is the same');
  } finally {
    release();
  }
}

async function checkBackup(path: string): Promise<void> {
  await reading(path, verifyBackup).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError(EXIT.failed, `The backup cannot be restored, and was removed: ${reason}.`, error);
  });
}

async function restore(
  path: string,
  { replace = false, verify }: { replace?: boolean; verify: boolean },
  invocation: Invocation,
): Promise<void> {
  const { terminal } = invocation;
  const out = outputOf(invocation);
  const began = performance.now();
  const rows: Record<string, number> = {};
  const onTable = (table: { name: string; rows: number }) => {
    rows[table.name] = table.rows;
  };
  const restored = reading(path, (backup) =>
    withDatabaseAsItIs(terminal.environment, (db) => restoreBackup(db, backup, { replace, verify, onTable })),
  );
  const migrated = await restored.catch((error: unknown) => {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const hint = /not empty/.test(reason) ? ' With --replace that is removed.' : '';
    throw new CliError(EXIT.failed, `Nothing was restored: ${reason}.${hint}`, error);
  });
  const seconds = (performance.now() - began) / 1000;
  if (out.isJson) return out.json({ object: 'restore', path, rows, seconds, migrated, verified: verify });
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  out.line(`${total} rows of ${Object.keys(rows).length} tables in ${seconds.toFixed(1)} s`);
  if (migrated.length > 0) out.line(`migrated: ${migrated.join(', ')}`);
}

async function reading<T>(
  path: string,
  work: (backup: Awaited<ReturnType<typeof openBackup>>) => Promise<T>,
): Promise<T> {
  const backup = await openBackup(path);
  try {
    return await work(backup);
  } finally {
    backup.close();
  }
}
