import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type NewEntry, writeZip } from '../../archive/write-zip.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { selectApplied } from '../../db/migrate.ts';
import { pinFormats, selectIdentities, selectTables, type TableShape } from '../../db/table-rows.ts';
import { version as forgeVersion } from '../../version.ts';
import {
  BACKUP_FORMAT,
  BACKUP_FORMAT_VERSION,
  type BackupManifest,
  type BackupTable,
  MANIFEST,
  tableEntry,
} from './format.ts';
import { createRowDigest } from './row-digest.ts';
import { tableLines } from './table-lines.ts';

/** A backup that nobody reads holds a transaction, or a copy of the database: so long, and no longer. */
const UNREAD_MS = 60_000;

/** What can be had again, at the price of asking the embedding model again for texts that come back. */
const CACHE = 'embedding_cache';

export interface BackupOptions {
  /** Whether the cache of embeddings goes with it. */
  withCache: boolean;
  signal?: AbortSignal | undefined;
}

/**
 * The whole database as it is at one moment, as a backup that is written as fast as it is read, while others go on writing.
 * When it fails the stream ends with that error, and what has arrived is no backup.
 *
 * @returns when the moment has been held fast
 */
export async function writeBackup(db: Database, options: BackupOptions): Promise<Readable> {
  return new Promise((resolve, reject) => {
    const output = new PassThrough();
    const taken = db.snapshot(async (view) => {
      const archive = await archiveOf(view, db.kind, options);
      resolve(output);
      const { signal } = options;
      await pipeline(archive, watched(output), output, { ...(signal && { signal }) });
    });
    taken.catch((error: unknown) => {
      reject(error);
      output.destroy(error as Error);
    });
  });
}

/** Passes bytes on, and ends the output when it is not read. */
function watched(output: PassThrough) {
  return async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const giveUp = () => output.destroy(new Error(`the backup was not read for ${UNREAD_MS / 1000} s`));
    const timer = setTimeout(giveUp, UNREAD_MS);
    try {
      for await (const piece of pieces) {
        timer.refresh();
        yield piece;
      }
    } finally {
      clearTimeout(timer);
    }
  };
}

async function archiveOf(
  view: Queryable,
  database: Database['kind'],
  { withCache }: BackupOptions,
): Promise<Readable> {
  await pinFormats(view);
  const tables = (await selectTables(view)).filter(({ name }) => withCache || name !== CACHE);
  const written: BackupTable[] = [];
  const head: Omit<BackupManifest, 'entries' | 'tables'> = {
    format: BACKUP_FORMAT,
    format_version: BACKUP_FORMAT_VERSION,
    forge_version: forgeVersion,
    created_at: new Date().toISOString(),
    database,
    migrations: await selectApplied(view),
    left_out: withCache ? [] : [CACHE],
  };
  return writeZip(
    tables.map((table) => entryOf(view, table, (facts) => written.push(facts))),
    {
      path: MANIFEST,
      content: (entries) => `${JSON.stringify({ ...head, tables: written, entries }, null, 2)}\n`,
    },
  );
}

const entryOf = (view: Queryable, table: TableShape, onEnd: (facts: BackupTable) => void): NewEntry => ({
  path: tableEntry(table.name),
  compress: true,
  async *content() {
    const digest = createRowDigest();
    yield* tableLines(view, table, digest);
    const columns = table.columns.map(({ name }) => name);
    onEnd({ name: table.name, columns, ...digest.result(), given: await selectIdentities(view, table) });
  },
});
