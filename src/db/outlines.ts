import type { FileFailure, FileStatus } from '../contract/file.ts';
import { OUTLINE_BUILD } from '../contract/outline.ts';
import type { DocumentFormat } from '../documents/formats/registry.ts';
import type { Outline, OutlineNode } from '../documents/outline/outline.ts';
import type { Scope } from '../scope.ts';
import type { TextLanguage } from '../text/languages.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';

/** A file as its outline's reader needs it: its versions, and what is known of the searchable one's outline. */
export interface OutlinedFile {
  fileId: string;
  name: string;
  status: FileStatus;
  version: number;
  searchableVersion: number | null;
  lastError: FileFailure | null;
  tokenEstimate: number;
  /** Of the searchable version. */
  language: TextLanguage;
  /** Of the stored outline; null while there is none of this build. */
  digest: string | null;
  outlinedAt: Date | null;
}

/** The file of this name with the state of its outline, without reading it; null when there is no such file. */
export async function findOutlinedFile(
  db: Queryable,
  scope: Scope,
  name: string,
): Promise<OutlinedFile | null> {
  const { rows } = await db.query<{
    file_id: string;
    name: string;
    status: FileStatus;
    version: number;
    searchable_version: number | null;
    last_error: FileFailure | null;
    token_estimate: number;
    language: TextLanguage;
    outline_digest: string | null;
    outlined_at: Date | null;
  }>(
    `select f.file_id, f.name, f.status, f.version, f.searchable_version, f.last_error, f.token_estimate, f.language,
       case when v.outline_build = $4 then v.outline_digest end as outline_digest, v.outlined_at
     from files f left join file_versions v on v.workspace_id = f.workspace_id and v.project_id = f.project_id
       and v.file_id = f.file_id and v.version = f.searchable_version
     where f.workspace_id = $1 and f.project_id = $2 and f.name = $3`,
    [scope.workspaceId, scope.projectId, name, OUTLINE_BUILD],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    fileId: row.file_id,
    name: row.name,
    status: row.status,
    version: row.version,
    searchableVersion: row.searchable_version,
    lastError: row.last_error,
    tokenEstimate: row.token_estimate,
    language: row.language,
    digest: row.outline_digest,
    outlinedAt: row.outlined_at,
  };
}

const SOURCE = "encode(sha256(convert_to(markdown, 'UTF8')), 'hex')";

/** Keeps the outline of a version, with a hash of the Markdown that stands beside it. */
export async function saveOutline(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  { digest, ...outline }: Outline,
): Promise<void> {
  await tx.query(
    `with source as (
       select ${SOURCE} as hash from file_versions
       where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4
     )
     update file_versions set outline = $5, outline_digest = $6, outline_build = $7, outlined_at = now(),
       outline_source = source.hash
     from source where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4`,
    [scope.workspaceId, scope.projectId, fileId, version, jsonParam(outline), digest, OUTLINE_BUILD],
  );
}

/**
 * The outline of a version; null when there is none of this build, or when the Markdown is no longer the one that it was
 * made from.
 */
export async function readOutline(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
): Promise<Outline | null> {
  const { rows } = await db.query<{ outline: Omit<Outline, 'digest'>; outline_digest: string }>(
    `select outline, outline_digest from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version = $4 and outline_build = $5
       and outline_source = ${SOURCE}`,
    [scope.workspaceId, scope.projectId, fileId, version, OUTLINE_BUILD],
  );
  const row = rows[0];
  return row ? { ...row.outline, digest: row.outline_digest } : null;
}

/** The nodes of the newest version before `version` whose outline has a node of this id; null when none has. */
export async function readOutlineWithNode(
  db: Queryable,
  scope: Scope,
  fileId: string,
  before: number,
  nodeId: string,
): Promise<OutlineNode[] | null> {
  const { rows } = await db.query<{ nodes: OutlineNode[] }>(
    `select outline->'nodes' as nodes from file_versions
     where workspace_id = $1 and project_id = $2 and file_id = $3 and version < $4
       and outline @> jsonb_build_object('nodes', jsonb_build_array(jsonb_build_object('id', $5::text)))
     order by version desc limit 1`,
    [scope.workspaceId, scope.projectId, fileId, before, nodeId],
  );
  return rows[0]?.nodes ?? null;
}

/**
 * What an outline is made from when it is made again; null when the version is gone or was never converted.
 *
 * @param withOriginal formats whose documents come with the bytes that were uploaded
 */
export async function readOutlineSource(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  withOriginal: readonly DocumentFormat[],
) {
  const { rows } = await db.query<{
    name: string;
    mediaType: string;
    format: DocumentFormat;
    markdown: string;
    chunking: unknown;
    bytes: Buffer | null;
  }>(
    `select f.name, v.media_type as "mediaType", v.format, v.markdown, v.chunking,
       case when v.format = any($5::text[]) then v.bytes end as bytes
     from files f join file_versions v using (workspace_id, project_id, file_id)
     where v.workspace_id = $1 and v.project_id = $2 and v.file_id = $3 and v.version = $4
       and f.searchable_version = v.version and v.markdown is not null`,
    [scope.workspaceId, scope.projectId, fileId, version, withOriginal],
  );
  return rows[0] ?? null;
}
