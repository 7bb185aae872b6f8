import type { ArchivedFile, ArchivedVersion } from '../archive/format.ts';
import type { ProjectState } from '../contract/state.ts';
import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import type { QueuedRun } from './file-runs.ts';

/*
 * A project that is imported is put together under its id as one of the kind `import`, which nothing finds, and becomes one
 * like any other in the end. So no transaction is as long as an archive is large, and what breaks off leaves nothing that
 * can be seen.
 */

const OF_PROJECT = 'workspace_id = $1 and project_id = $2';
const BEING_IMPORTED = "kind = 'import'";
/** An import that has stored nothing for so long has ended with its process. */
const ABANDONED_AFTER_MINUTES = 60;

/** Begins an import; false when the id is taken. */
export async function stageProject(
  db: Queryable,
  scope: Scope,
  project: {
    name: string;
    state: ProjectState;
    createdAt: string;
    summarisedThrough: number;
    contextual: boolean | null;
  },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into projects (workspace_id, project_id, kind, name, state, created_at, summarised_through, contextual)
     values ($1, $2, 'import', $3, $4, $5, $6, $7) on conflict (workspace_id, project_id) do nothing`,
    [
      scope.workspaceId,
      scope.projectId,
      storableText(project.name),
      jsonParam(project.state),
      project.createdAt,
      project.summarisedThrough,
      project.contextual,
    ],
  );
  return rowCount > 0;
}

/** Makes a project of an import. */
export async function publishProject(tx: Queryable, scope: Scope): Promise<void> {
  const { rowCount } = await tx.query(
    `update projects set kind = 'project', updated_at = now() where ${OF_PROJECT} and ${BEING_IMPORTED}`,
    [scope.workspaceId, scope.projectId],
  );
  if (rowCount === 0) throw new Error('the import was taken for abandoned while it went on');
}

/** Says that an import goes on. */
export async function keepImport(db: Queryable, scope: Scope): Promise<void> {
  await db.query(`update projects set updated_at = now() where ${OF_PROJECT} and ${BEING_IMPORTED}`, [
    scope.workspaceId,
    scope.projectId,
  ]);
}

/** Removes an import that has failed, with all that it stored. */
export async function discardImport(db: Queryable, scope: Scope): Promise<void> {
  await db.query(`delete from projects where ${OF_PROJECT} and ${BEING_IMPORTED}`, [
    scope.workspaceId,
    scope.projectId,
  ]);
}

/**
 * Removes imports whose process has ended before they did.
 *
 * @param silentMinutes how long nothing was stored by them; 0: all there are, for a database that no other process uses
 */
export async function discardAbandonedImports(
  db: Queryable,
  silentMinutes = ABANDONED_AFTER_MINUTES,
): Promise<void> {
  await db.query(
    `delete from projects where ${BEING_IMPORTED} and updated_at < now() - make_interval(mins => $1)`,
    [silentMinutes],
  );
}

/** A file as it begins here: at a version that is to be ingested, or failed as it was elsewhere. */
export interface RestoredFile {
  fileId: string;
  file: ArchivedFile;
  version: number;
  status: 'queued' | 'failed';
}

/** Stores a file without its versions. */
export async function restoreFile(
  db: Queryable,
  scope: Scope,
  { fileId, file, version, status }: RestoredFile,
): Promise<void> {
  await db.query(
    `insert into files (workspace_id, project_id, file_id, name, media_type, status, version, restored_version, summary,
       summary_version, summary_status, last_error, chunk_count, parent_count, token_estimate, uploaded_at, contextual)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      scope.workspaceId,
      scope.projectId,
      fileId,
      file.name,
      storableText(file.media_type),
      status,
      version,
      file.searchable_version,
      file.summary === null ? null : storableText(file.summary),
      file.summary_version,
      file.summary_status,
      status === 'failed' && file.last_error ? jsonParam(file.last_error) : null,
      file.chunk_count,
      file.parent_count,
      file.token_estimate,
      file.uploaded_at,
      file.contextual ?? null,
    ],
  );
}

/** Stores a version of a file, with what its conversion gave elsewhere. */
export async function restoreVersion(
  db: Queryable,
  scope: Scope,
  fileId: string,
  version: ArchivedVersion,
  content: { bytes: Buffer; keyId: string | null; markdown: string | null },
): Promise<void> {
  await db.query(
    `insert into file_versions (workspace_id, project_id, file_id, version, media_type, bytes, byte_length, sha256, chunking,
       min_fidelity, format, markdown, fidelity, created_at,
       key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      scope.workspaceId,
      scope.projectId,
      fileId,
      version.version,
      storableText(version.media_type),
      content.bytes,
      version.bytes,
      version.sha256,
      jsonParam(version.chunking),
      version.min_fidelity,
      version.format === null ? null : storableText(version.format),
      content.markdown === null ? null : storableText(content.markdown),
      version.fidelity === null ? null : jsonParam(version.fidelity),
      version.created_at,
      content.keyId,
    ],
  );
}

/**
 * Puts a file whose version is done at the newest one that it has, to be ingested; null when it stands there already. A
 * restored file begins at the version that was searchable, which its newer ones must not come before.
 */
export async function takeUpNewest(tx: Queryable, scope: Scope, fileId: string): Promise<QueuedRun | null> {
  const { rows } = await tx.query<Omit<QueuedRun, 'fileId'>>(
    `update files f set version = v.version, media_type = v.media_type, status = 'queued', stage = null, chunks_done = 0,
       chunks_total = 0, attempt = 0, run = run + 1, last_error = null, updated_at = now()
     from file_versions v
     where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3
       and v.workspace_id = $1 and v.project_id = $2 and v.file_id = $3 and v.version > f.version
       and v.version = (select max(version) from file_versions
         where workspace_id = $1 and project_id = $2 and file_id = $3)
     returning v.version, f.run, f.name, v.byte_length as bytes`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rows[0] ? { ...rows[0], fileId } : null;
}
