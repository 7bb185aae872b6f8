import type { MeasuredFidelity } from '../contract/fidelity.ts';
import type { Scope } from '../scope.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** What the pipeline works on. */
export interface VersionSource {
  name: string;
  mediaType: string;
  bytes: Buffer;
  chunking: unknown;
  /** Fidelity under which it is not to be taken, 0 to 1. */
  minFidelity: number | null;
}

/** Bytes that one statement gives: on their way out of the database they take several times their length. */
const PIECE_BYTES = 1024 * 1024;

/** The bytes of a version that is to be ingested; null when the file is gone or a newer upload took its place. */
export async function readSource(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<VersionSource | null> {
  const { rows } = await db.query<{
    name: string;
    media_type: string;
    byte_length: number;
    first: Buffer;
    chunking: unknown;
    min_fidelity: number | null;
  }>(
    `select f.name, v.media_type, v.byte_length, substring(v.bytes from 1 for $5) as first, v.chunking, v.min_fidelity
     from files f join file_versions v using (workspace_id, project_id, file_id, version)
     where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3 and f.version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version, PIECE_BYTES],
  );
  const row = rows[0];
  if (!row) return null;
  const { name, media_type: mediaType, chunking, min_fidelity: minFidelity } = row;
  let bytes = row.first;
  if (row.byte_length > PIECE_BYTES) {
    bytes = Buffer.allocUnsafeSlow(row.byte_length);
    row.first.copy(bytes);
    for (let offset = row.first.length; offset < bytes.length; offset += PIECE_BYTES) {
      const piece = await readOriginal(db, scope, { fileId, version }, { offset, length: PIECE_BYTES });
      if (!piece) return null;
      piece.copy(bytes, offset);
    }
  }
  return { name, mediaType, bytes, chunking, minFidelity };
}

/** Keeps what the conversion of a version gave; false when the version is gone. */
export async function saveConversion(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  result: { format: string; markdown: string; fidelity: unknown },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update file_versions set format = $5, markdown = $6, fidelity = $7
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [
      scope.workspaceId,
      scope.projectId,
      fileId,
      version,
      result.format,
      result.markdown,
      jsonParam(result.fidelity),
    ],
  );
  return rowCount > 0;
}

/** What is known of a version's bytes without reading them. */
export interface OriginalFacts {
  version: number;
  byteLength: number;
  mediaType: string;
  sha256: string;
}

/** The facts about the bytes of a version, or null. */
export async function findOriginal(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<OriginalFacts | null> {
  const { rows } = await db.query<{ byte_length: number; media_type: string; sha256: string }>(
    `select byte_length, media_type, sha256 from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  const row = rows[0];
  if (!row) return null;
  return { version, byteLength: row.byte_length, mediaType: row.media_type, sha256: row.sha256 };
}

/** Some of the bytes of a version as they were uploaded, from an offset on; null when the version is gone. */
export async function readOriginal(
  db: Queryable,
  scope: Scope,
  file: { fileId: string; version: number },
  range: { offset: number; length: number },
): Promise<Buffer | null> {
  const { rows } = await db.query<{ bytes: Buffer }>(
    `select substring(bytes from $5 for $6) as bytes from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, file.fileId, file.version, range.offset + 1, range.length],
  );
  return rows[0]?.bytes ?? null;
}

/** The fidelity report of a version, or of the newest one that has a report; null where there is none. */
export async function readFidelity(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number | null,
): Promise<{ version: number; fidelity: MeasuredFidelity } | null> {
  const { rows } = await db.query<{ version: number; fidelity: MeasuredFidelity }>(
    `select version, fidelity from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and fidelity is not null
       and ($4::int is null or version = $4)
     order by version desc limit 1`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  return rows[0] ?? null;
}

/** The Markdown that a version became, or null while there is none. */
export async function readMarkdown(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<string | null> {
  const { rows } = await db.query<{ markdown: string | null }>(
    `select markdown from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  return rows[0]?.markdown ?? null;
}

/** Length in bytes (UTF-8) of the Markdown that a version became, or null while there is none. */
export async function markdownLength(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<number | null> {
  const { rows } = await db.query<{ length: number | null }>(
    `select octet_length(markdown) as length from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  return rows[0]?.length ?? null;
}
