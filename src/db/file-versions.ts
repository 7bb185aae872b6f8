import type { MeasuredFidelity } from '../contract/fidelity.ts';
import type { Scope } from '../scope.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** What the pipeline works on. */
export interface VersionSource {
  name: string;
  mediaType: string;
  byteLength: number;
  chunking: unknown;
  /** Fidelity under which it is not to be taken, 0 to 1. */
  minFidelity: number | null;
}

/** A version that is to be ingested; null when the file is gone or a newer upload took its place. */
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
    chunking: unknown;
    min_fidelity: number | null;
  }>(
    `select f.name, v.media_type, v.byte_length, v.chunking, v.min_fidelity
     from files f join file_versions v using (workspace_id, project_id, file_id, version)
     where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3 and f.version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  const row = rows[0];
  if (!row) return null;
  const { name, media_type: mediaType, byte_length: byteLength, chunking, min_fidelity: minFidelity } = row;
  return { name, mediaType, byteLength, chunking, minFidelity };
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
  /** The key that they are encrypted with; null: none. */
  keyId: string | null;
}

/** The facts about the bytes of a version, or null. */
export async function findOriginal(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<OriginalFacts | null> {
  const { rows } = await db.query<{
    byte_length: number;
    media_type: string;
    sha256: string;
    key_id: string | null;
  }>(
    `select byte_length, media_type, sha256, key_id from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  const row = rows[0];
  if (!row) return null;
  const { byte_length: byteLength, media_type: mediaType, sha256, key_id: keyId } = row;
  return { version, byteLength, mediaType, sha256, keyId };
}

/** Some of the bytes of a version as they are stored. */
export interface StoredBytes {
  /** The key that they are encrypted with; null: they are as they were uploaded. */
  keyId: string | null;
  bytes: Buffer;
  /** The first bytes of an encrypted original. */
  salt: Buffer;
  /** Of the whole as it was uploaded. */
  byteLength: number;
}

/** Some of the stored bytes of a version, from an offset on; null when the version is gone. */
export async function readStored(
  db: Queryable,
  scope: Scope,
  file: { fileId: string; version: number },
  /** Which: of bytes that are not encrypted, and of those that are. */
  {
    plain,
    sealed,
    saltBytes,
  }: Record<'plain' | 'sealed', { offset: number; length: number }> & { saltBytes: number },
): Promise<StoredBytes | null> {
  const { rows } = await db.query<{
    key_id: string | null;
    bytes: Buffer;
    salt: Buffer;
    byte_length: number;
  }>(
    `select key_id, byte_length, substring(bytes from 1 for $9) as salt,
       case when key_id is null then substring(bytes from $5 for $6) else substring(bytes from $7 for $8) end as bytes
     from file_versions where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [
      scope.workspaceId,
      scope.projectId,
      file.fileId,
      file.version,
      plain.offset + 1,
      plain.length,
      sealed.offset + 1,
      sealed.length,
      saltBytes,
    ],
  );
  const row = rows[0];
  return row ? { keyId: row.key_id, bytes: row.bytes, salt: row.salt, byteLength: row.byte_length } : null;
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
