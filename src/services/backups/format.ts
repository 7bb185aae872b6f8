import { z } from 'zod';

/*
 * A backup is a ZIP archive: a manifest, which is its last entry, and for each table its rows as JSON Lines. A line is a list
 * with the text of each column as Postgres writes it; of bytes that can be large the line has the length, and the lines behind
 * it have them in base64.
 */

export const BACKUP_FORMAT = 'forge-backup';
export const BACKUP_FORMAT_VERSION = 1;
export const MANIFEST = 'manifest.json';

export const tableEntry = (table: string): string => `tables/${table}.jsonl`;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a sha-256 in hexadecimal');

/** What is looked at before anything else: the rest may be of a version that is not known here. */
export const backupHeadSchema = z.object({
  format: z.literal(BACKUP_FORMAT),
  format_version: z.int().min(1),
  forge_version: z.string(),
});

const tableSchema = z.object({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
  /** Of the rows, whatever their order: see `createRowDigest`. */
  digest: sha256,
  /** The last number of each column that counts by itself: rows that had it may be gone. Older backups have none. */
  given: z.record(z.string(), z.int().min(0)).default({}),
});
export type BackupTable = z.infer<typeof tableSchema>;

export const backupManifestSchema = backupHeadSchema.extend({
  created_at: z.string(),
  /** The kind of database that it is of; it can be restored into either. */
  database: z.enum(['embedded', 'server']),
  /** The schema that the rows are of. */
  migrations: z.array(z.object({ name: z.string(), sha256 })).min(1),
  /** In the order in which they can be restored. */
  tables: z.array(tableSchema),
  /** Tables whose rows were left out. */
  left_out: z.array(z.string()),
  entries: z.array(z.object({ path: z.string(), bytes: z.int().min(0), sha256 })),
});
export type BackupManifest = z.infer<typeof backupManifestSchema>;
