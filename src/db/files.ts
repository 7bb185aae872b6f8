import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

export type FileStatus = 'queued' | 'in_progress' | 'completed' | 'failed';
export type FileStage = 'converting' | 'chunking' | 'embedding' | 'storing' | 'summarizing';

/** Why the current attempt failed, in words for the file's owner. */
export interface FileFailure {
  code: string;
  message: string;
  retryable: boolean;
}

/** A file's row, with what its newest version adds. */
export interface FileRecord {
  fileId: string;
  name: string;
  mediaType: string;
  bytes: number;
  sha256: string;
  version: number;
  searchableVersion: number | null;
  status: FileStatus;
  stage: FileStage | null;
  chunksDone: number;
  chunksTotal: number;
  chunkCount: number;
  parentCount: number;
  tokenEstimate: number;
  summary: string | null;
  summaryStatus: 'pending' | 'completed' | 'failed';
  fidelity: unknown;
  attempt: number;
  lastError: FileFailure | null;
  seq: string;
  uploadedAt: Date;
  updatedAt: Date;
}

interface FileRow {
  file_id: string;
  name: string;
  media_type: string;
  byte_length: number;
  sha256: string;
  version: number;
  searchable_version: number | null;
  status: FileStatus;
  stage: FileStage | null;
  chunks_done: number;
  chunks_total: number;
  chunk_count: number;
  parent_count: number;
  token_estimate: number;
  summary: string | null;
  summary_status: FileRecord['summaryStatus'];
  fidelity: unknown;
  attempt: number;
  last_error: FileFailure | null;
  seq: string;
  uploaded_at: Date;
  updated_at: Date;
}

const SELECT = `select f.file_id, f.name, f.media_type, v.byte_length, v.sha256, f.version, f.searchable_version,
    f.status, f.stage, f.chunks_done, f.chunks_total, f.chunk_count, f.parent_count, f.token_estimate, f.summary,
    f.summary_status, v.fidelity, f.attempt, f.last_error, f.seq, f.uploaded_at, f.updated_at
  from files f join file_versions v using (workspace_id, project_id, file_id, version)`;

const toRecord = (row: FileRow): FileRecord => ({
  fileId: row.file_id,
  name: row.name,
  mediaType: row.media_type,
  bytes: row.byte_length,
  sha256: row.sha256,
  version: row.version,
  searchableVersion: row.searchable_version,
  status: row.status,
  stage: row.stage,
  chunksDone: row.chunks_done,
  chunksTotal: row.chunks_total,
  chunkCount: row.chunk_count,
  parentCount: row.parent_count,
  tokenEstimate: row.token_estimate,
  summary: row.summary,
  summaryStatus: row.summary_status,
  fidelity: row.fidelity,
  attempt: row.attempt,
  lastError: row.last_error,
  seq: row.seq,
  uploadedAt: row.uploaded_at,
  updatedAt: row.updated_at,
});

/** An upload as it is stored. */
export interface NewVersion {
  fileId: string;
  name: string;
  mediaType: string;
  bytes: Buffer;
  sha256: string;
  chunking: string;
}

/**
 * Stores an upload: a new file, or the next version of the file of this name. Uploads of one name queue up on its row.
 *
 * @returns the id of the file and the number of the version
 */
export async function insertVersion(
  tx: Queryable,
  scope: Scope,
  upload: NewVersion,
): Promise<{ fileId: string; version: number }> {
  const { rows } = await tx.query<{ file_id: string; version: number }>(
    `insert into files (workspace_id, project_id, file_id, name, media_type, status, version)
     values ($1, $2, $3, $4, $5, 'queued', 1)
     on conflict (workspace_id, project_id, name) do update set
       media_type = excluded.media_type, version = files.version + 1, status = 'queued', stage = null,
       chunks_done = 0, chunks_total = 0, attempt = 0, last_error = null, uploaded_at = now(), updated_at = now()
     returning file_id, version`,
    [scope.workspaceId, scope.projectId, upload.fileId, upload.name, upload.mediaType],
  );
  const file = rows[0];
  if (!file) throw new Error('the upload gave no row');
  await tx.query(
    `insert into file_versions (workspace_id, project_id, file_id, version, media_type, bytes, byte_length, sha256, chunking)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      scope.workspaceId,
      scope.projectId,
      file.file_id,
      file.version,
      upload.mediaType,
      upload.bytes,
      upload.bytes.length,
      upload.sha256,
      upload.chunking,
    ],
  );
  return { fileId: file.file_id, version: file.version };
}

/** How many files the project holds. */
export async function countFiles(db: Queryable, scope: Scope): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from files where workspace_id = $1 and project_id = $2',
    [scope.workspaceId, scope.projectId],
  );
  return rows[0]?.count ?? 0;
}

/** The file of this name, or null. */
export async function findFile(db: Queryable, scope: Scope, name: string): Promise<FileRecord | null> {
  const { rows } = await db.query<FileRow>(
    `${SELECT} where f.workspace_id = $1 and f.project_id = $2 and f.name = $3`,
    [scope.workspaceId, scope.projectId, name],
  );
  return rows[0] ? toRecord(rows[0]) : null;
}

/** Files in order of their first upload, of one status or all; bounds are exclusive. */
export async function selectFiles(
  db: Queryable,
  scope: Scope,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
  status: FileStatus | null,
): Promise<FileRecord[]> {
  const { rows } = await db.query<FileRow>(
    `${SELECT} where f.workspace_id = $1 and f.project_id = $2 and ($3::text is null or f.status = $3)
       and ($4::bigint is null or f.seq > $4) and ($5::bigint is null or f.seq < $5)
     order by f.seq ${page.descending ? 'desc' : 'asc'} limit $6`,
    [scope.workspaceId, scope.projectId, status, page.after, page.before, page.limit],
  );
  return rows.map(toRecord);
}

/** What changes while a version is worked on; only what is given is set. */
export interface FileProgress {
  status?: FileStatus;
  stage?: FileStage | null;
  chunksDone?: number;
  chunksTotal?: number;
  attempt?: number;
  lastError?: FileFailure | null;
  summary?: string;
  summaryStatus?: FileRecord['summaryStatus'];
}

/** Records progress on a version; false when the file is gone or a newer upload has taken its place. */
export async function updateProgress(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  progress: FileProgress,
): Promise<boolean> {
  const columns: Record<string, unknown> = {
    status: progress.status,
    stage: progress.stage,
    chunks_done: progress.chunksDone,
    chunks_total: progress.chunksTotal,
    attempt: progress.attempt,
    last_error: progress.lastError === undefined ? undefined : JSON.stringify(progress.lastError),
    summary: progress.summary,
    summary_version: progress.summary === undefined ? undefined : version,
    summary_status: progress.summaryStatus,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const assignments = given.map(([column], index) => `${column} = $${index + 5}`);
  const { rowCount } = await db.query(
    `update files set ${[...assignments, 'updated_at = now()'].join(', ')}
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version, ...given.map(([, value]) => value)],
  );
  return rowCount > 0;
}

/** Ends the attempt at a version; what an older version left searchable stays, its summary with it. */
export async function markFailed(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  failure: FileFailure,
): Promise<void> {
  await db.query(
    `update files set status = 'failed', stage = null, last_error = $5, updated_at = now(),
       summary_status = case when searchable_version is null then 'failed' else summary_status end
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version, JSON.stringify(failure)],
  );
}

/** Puts a failed version back in the queue; false when it is not failed (any more). */
export async function requeueFailed(tx: Queryable, scope: Scope, fileId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update files set status = 'queued', stage = null, last_error = null, chunks_done = 0, chunks_total = 0,
       attempt = 0, updated_at = now(),
       summary_status = case when searchable_version is null then 'pending' else summary_status end
     where workspace_id = $1 and project_id = $2 and file_id = $3 and status = 'failed'`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rowCount > 0;
}

/** Counts what hangs on a file and removes it, by cascade. */
export async function deleteFileRow(
  tx: Queryable,
  scope: Scope,
  fileId: string,
): Promise<{ versions: number; parents: number; leaves: number; vectors: number } | null> {
  const key = [scope.workspaceId, scope.projectId, fileId];
  const of = (table: string) =>
    `(select count(*)::int from ${table} where workspace_id = $1 and project_id = $2 and file_id = $3)`;
  const { rows } = await tx.query<{ versions: number; parents: number; leaves: number; vectors: number }>(
    `select ${of('file_versions')} as versions, ${of('document_parents')} as parents,
       ${of('document_leaves')} as leaves,
       (select count(*)::int from leaf_vectors join document_leaves using (workspace_id, project_id, leaf_id)
        where workspace_id = $1 and project_id = $2 and file_id = $3) as vectors`,
    key,
  );
  const { rowCount } = await tx.query(
    'delete from files where workspace_id = $1 and project_id = $2 and file_id = $3',
    key,
  );
  return rowCount > 0 ? (rows[0] ?? null) : null;
}
