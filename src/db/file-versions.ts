import type { Scope } from '../scope.ts';
import { jsonParam } from '../text.ts';
import type { Queryable } from './database.ts';

/** What the pipeline works on. */
export interface VersionSource {
  name: string;
  mediaType: string;
  bytes: Buffer;
  chunking: unknown;
}

/** The bytes of a version that is to be ingested; null when the file is gone or a newer upload took its place. */
export async function readSource(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<VersionSource | null> {
  const { rows } = await db.query<{ name: string; media_type: string; bytes: Buffer; chunking: unknown }>(
    `select f.name, v.media_type, v.bytes, v.chunking
     from files f join file_versions v using (workspace_id, project_id, file_id, version)
     where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3 and f.version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  const row = rows[0];
  return row ? { name: row.name, mediaType: row.media_type, bytes: row.bytes, chunking: row.chunking } : null;
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

/** The bytes of a version as they were uploaded, or null. */
export async function readOriginal(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<{ bytes: Buffer; mediaType: string; sha256: string } | null> {
  const { rows } = await db.query<{ bytes: Buffer; media_type: string; sha256: string }>(
    `select bytes, media_type, sha256 from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version],
  );
  const row = rows[0];
  return row ? { bytes: row.bytes, mediaType: row.media_type, sha256: row.sha256 } : null;
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
