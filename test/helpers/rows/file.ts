import { createHash } from 'node:crypto';
import type { Queryable } from '../../../src/db/database.ts';
import type { Scope } from '../../../src/scope.ts';
import { insertRow } from './insert-row.ts';

interface FileRow {
  name?: string;
  mediaType?: string;
  status?: 'queued' | 'in_progress' | 'completed' | 'failed';
  version?: number;
}

/** A file, named like its id: Markdown whose first version is ready, unless told otherwise. It has no bytes. */
export async function storeFile(
  db: Queryable,
  scope: Scope,
  fileId: string,
  file: FileRow = {},
): Promise<void> {
  const usual = { name: fileId, mediaType: 'text/markdown', status: 'completed', version: 1 };
  await insertRow(db, 'files', { ...scope, fileId, ...usual, ...file });
}

interface FileVersionRow {
  version?: number;
  mediaType?: string;
  chunking?: object;
}

/** The bytes of a version of a file that is there, not converted yet. */
export async function storeFileVersion(
  db: Queryable,
  scope: Scope,
  fileId: string,
  bytes: Buffer,
  { chunking = {}, ...version }: FileVersionRow = {},
): Promise<void> {
  await insertRow(db, 'file_versions', {
    ...scope,
    fileId,
    version: 1,
    mediaType: 'text/markdown',
    bytes,
    byteLength: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    chunking: JSON.stringify(chunking),
    ...version,
  });
}
