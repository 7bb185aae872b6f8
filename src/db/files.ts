import { type File, type FileStatus, fileSchema } from '../contract/file.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { holdsText } from './holds-text.ts';

/** A file as it is shown, with what its newest version adds, and what the service keeps of it for itself. */
export interface StoredFile {
  file: File;
  fileId: string;
  /** Its place in the order of first uploads. */
  seq: string;
}

/** A row of `FILE_COLUMNS`. */
export type FileRow = Omit<File, 'object' | 'retry_at' | 'uploaded_at' | 'updated_at'> & {
  retry_at: Date | null;
  uploaded_at: Date;
  updated_at: Date;
  file_id: string;
  seq: string;
};

/** What is shown of a file and does not stand in a column of its own name. */
const ELSEWHERE: { [Member in keyof File]?: string } = {
  bytes: 'v.byte_length',
  sha256: 'v.sha256',
  fidelity: 'v.fidelity',
  progress: `json_build_object('chunks_done', f.chunks_done, 'chunks_total', f.chunks_total)`,
  waiting_on_rate_limit: 'f.rate_limited',
  contexts: `json_build_object('state', f.context_state, 'leaves', f.context_leaves, 'last_error', f.context_error)`,
};
const SHOWN = fileSchema.omit({ object: true }).keyof().options;

/** What makes a file: of its row `f`, and of the row `v` of its newest version. */
export const FILE_COLUMNS = `f.file_id, f.seq, ${SHOWN.map((name) => `${ELSEWHERE[name] ?? `f.${name}`} as ${name}`).join(', ')}`;

const SELECT = `select ${FILE_COLUMNS}
  from files f join file_versions v using (workspace_id, project_id, file_id, version)`;

export const toStoredFile = ({
  file_id,
  seq,
  retry_at,
  uploaded_at,
  updated_at,
  ...columns
}: FileRow): StoredFile => ({
  file: {
    object: 'file',
    ...columns,
    retry_at: retry_at?.toISOString() ?? null,
    uploaded_at: uploaded_at.toISOString(),
    updated_at: updated_at.toISOString(),
  },
  fileId: file_id,
  seq,
});

/** An upload as it is stored. */
export interface NewVersion {
  fileId: string;
  name: string;
  mediaType: string;
  /** Of what was uploaded. */
  byteLength: number;
  /** What is to be stored of it at its place, and the key that it is encrypted with, if any. */
  stored: (place: Scope & { fileId: string; version: number }) => { bytes: Buffer; keyId: string | null };
  sha256: string;
  chunking: string;
  /** Fidelity under which the version is not to be taken, 0 to 1. */
  minFidelity?: number | null;
  /** Whether contexts are written for its leaves; null: as it was. */
  contextual?: boolean | null;
  /**
   * The number of the newest version of the file that there was (`CurrentVersion`): one that is being restored has later versions
   * than the one it stands at. Left out: it stands at its newest one.
   */
  newestVersion?: number;
}

/**
 * Stores an upload: a new file, or the next version of the file of this name. Uploads of one name queue up on its row.
 *
 * @returns the id of the file and the numbers of the version and its ingestion
 */
export async function insertVersion(
  tx: Queryable,
  scope: Scope,
  upload: NewVersion,
): Promise<{ fileId: string; version: number; run: number }> {
  // an upload that waited for another counts on from the row, which is read again then
  const { rows } = await tx.query<{ file_id: string; version: number; run: number }>(
    `insert into files (workspace_id, project_id, file_id, name, media_type, status, version, contextual)
     values ($1, $2, $3, $4, $5, 'queued', 1, $6)
     on conflict (workspace_id, project_id, name) do update set contextual = coalesce(excluded.contextual, files.contextual),
       media_type = excluded.media_type, version = 1 + greatest(files.version, $7::int), status = 'queued', stage = null,
       chunks_done = 0, chunks_total = 0, run = files.run + 1, attempt = 0, last_error = null, retry_at = null,
       rate_limited = false, uploaded_at = excluded.uploaded_at, updated_at = excluded.updated_at
     returning file_id, version, run`,
    [
      scope.workspaceId,
      scope.projectId,
      upload.fileId,
      upload.name,
      upload.mediaType,
      upload.contextual ?? null,
      upload.newestVersion ?? 0,
    ],
  );
  const file = rows[0];
  if (!file) throw new Error('the upload gave no row');
  const stored = upload.stored({ ...scope, fileId: file.file_id, version: file.version });
  await tx.query(
    `insert into file_versions (workspace_id, project_id, file_id, version, media_type, bytes, byte_length, sha256, chunking,
       min_fidelity, key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      scope.workspaceId,
      scope.projectId,
      file.file_id,
      file.version,
      upload.mediaType,
      stored.bytes,
      upload.byteLength,
      upload.sha256,
      upload.chunking,
      upload.minFidelity ?? null,
      stored.keyId,
    ],
  );
  return { fileId: file.file_id, version: file.version, run: file.run };
}

/** What is known of the newest upload of a name, to compare another one with. */
export interface CurrentVersion {
  fileId: string;
  status: FileStatus;
  sha256: string;
  chunking: unknown;
  /** Of the conversion, once there is one. */
  fidelityScore: number | null;
  /** The highest number of a version of the file. */
  newestVersion: number;
}

/** The newest version of the file of this name, its row held until the transaction ends; null when there is none. */
export async function lockCurrentVersion(
  tx: Queryable,
  scope: Scope,
  name: string,
): Promise<CurrentVersion | null> {
  const { rows } = await tx.query<{
    file_id: string;
    status: FileStatus;
    sha256: string;
    chunking: unknown;
    score: number | null;
    newest: number;
  }>(
    `select f.file_id, f.status, v.sha256, v.chunking, (v.fidelity->>'score')::float8 as score,
       (select max(n.version) from file_versions n where n.workspace_id = $1 and n.project_id = $2 and n.file_id = f.file_id)
         as newest
     from files f join file_versions v using (workspace_id, project_id, file_id, version)
     where f.workspace_id = $1 and f.project_id = $2 and v.project_id = $2 and f.name = $3 for update of f`,
    [scope.workspaceId, scope.projectId, name],
  );
  const row = rows[0];
  if (!row) return null;
  const { file_id, status, sha256, chunking, score, newest } = row;
  return { fileId: file_id, status, sha256, chunking, fidelityScore: score, newestVersion: newest };
}

/** How many files the project holds. */
export async function countFiles(db: Queryable, scope: Scope): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from files where workspace_id = $1 and project_id = $2',
    [scope.workspaceId, scope.projectId],
  );
  return rows[0]?.count ?? 0;
}

/** The names of all files, in order of their first uploads. */
export async function selectFileNames(db: Queryable, scope: Scope): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    'select name from files where workspace_id = $1 and project_id = $2 order by seq',
    [scope.workspaceId, scope.projectId],
  );
  return rows.map(({ name }) => name);
}

/** How many files there are, and how many of them have a version that search sees. */
export async function countReadableFiles(
  db: Queryable,
  scope: Scope,
): Promise<{ files: number; readable: number }> {
  const { rows } = await db.query<{ files: number; readable: number }>(
    `select count(*)::int as files, count(searchable_version)::int as readable from files
     where workspace_id = $1 and project_id = $2`,
    [scope.workspaceId, scope.projectId],
  );
  return rows[0] ?? { files: 0, readable: 0 };
}

/** How many files of the project are being ingested, or wait to be. */
export async function countUnsettled(db: Queryable, scope: Scope): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from files
     where workspace_id = $1 and project_id = $2 and status in ('queued', 'in_progress')`,
    [scope.workspaceId, scope.projectId],
  );
  return rows[0]?.count ?? 0;
}

/** The file of this name, or null. */
export async function findFile(db: Queryable, scope: Scope, name: string): Promise<StoredFile | null> {
  const { rows } = await db.query<FileRow>(
    `${SELECT} where f.workspace_id = $1 and f.project_id = $2 and f.name = $3`,
    [scope.workspaceId, scope.projectId, name],
  );
  return rows[0] ? toStoredFile(rows[0]) : null;
}

/** The file of this id, whatever its name is by now, or null. */
export async function findFileById(db: Queryable, scope: Scope, fileId: string): Promise<StoredFile | null> {
  const { rows } = await db.query<FileRow>(
    `${SELECT} where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rows[0] ? toStoredFile(rows[0]) : null;
}

/** Those of the files of these names that there are, in no particular order. */
export async function findFiles(
  db: Queryable,
  scope: Scope,
  names: readonly string[],
): Promise<StoredFile[]> {
  const { rows } = await db.query<FileRow>(
    `${SELECT} where f.workspace_id = $1 and f.project_id = $2 and f.name = any ($3::text[])`,
    [scope.workspaceId, scope.projectId, names],
  );
  return rows.map(toStoredFile);
}

/** What narrows a list of files; null: anything. */
export interface FileListFilter {
  status: FileStatus | null;
  /** What the name or the summary holds, in whatever case. */
  text: string | null;
}

/** Files in order of their first upload; bounds are exclusive. */
export async function selectFiles(
  db: Queryable,
  scope: Scope,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
  { status = null, text = null }: Partial<FileListFilter> = {},
): Promise<StoredFile[]> {
  const { rows } = await db.query<FileRow>(
    `${SELECT} where f.workspace_id = $1 and f.project_id = $2 and ($3::text is null or f.status = $3)
       and ($4::bigint is null or f.seq > $4) and ($5::bigint is null or f.seq < $5)
       and ($7::text is null or ${holdsText('f.name', '$7')} or ${holdsText("coalesce(f.summary, '')", '$7')})
     order by f.seq ${page.descending ? 'desc' : 'asc'} limit $6`,
    [scope.workspaceId, scope.projectId, status, page.after, page.before, page.limit, text],
  );
  return rows.map(toStoredFile);
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
       ${of('document_leaves')} as leaves, ${of('leaf_vectors')} as vectors`,
    key,
  );
  const { rowCount } = await tx.query(
    'delete from files where workspace_id = $1 and project_id = $2 and file_id = $3',
    key,
  );
  return rowCount > 0 ? (rows[0] ?? null) : null;
}
