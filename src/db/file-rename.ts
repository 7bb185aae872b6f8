import type { FileStatus } from '../contract/file.ts';
import type { Leaf, Parent } from '../documents/chunking/chunks.ts';
import type { Scope } from '../scope.ts';
import { batches } from './batches.ts';
import type { Queryable } from './database.ts';
import { putParentsAndLeaves } from './documents.ts';
import type { QueuedRun } from './file-runs.ts';
import { renameContexts } from './leaf-contexts.ts';

/** A file that is being renamed, its row held. */
export interface HeldFile {
  fileId: string;
  status: FileStatus;
  mediaType: string;
  searchableVersion: number | null;
  /** When it is changed now, as text: later than it was before, whatever the clock says. */
  changedAt: string;
}

/** Holds the row of a file until the transaction ends; null when there is none of the name. */
export async function holdFile(tx: Queryable, scope: Scope, name: string): Promise<HeldFile | null> {
  const { rows } = await tx.query<{
    file_id: string;
    status: FileStatus;
    media_type: string;
    searchable_version: number | null;
    changed_at: string;
  }>(
    `select file_id, status, media_type, searchable_version,
       greatest(now(), updated_at + interval '1 millisecond')::text as changed_at
     from files
     where workspace_id = $1 and project_id = $2 and name = $3 for update`,
    [scope.workspaceId, scope.projectId, name],
  );
  const row = rows[0];
  if (!row) return null;
  const { file_id, status, media_type, searchable_version, changed_at } = row;
  return {
    fileId: file_id,
    status,
    mediaType: media_type,
    searchableVersion: searchable_version,
    changedAt: changed_at,
  };
}

/**
 * Gives a file another name, unless one has it. What it is indexed by holds the name and is to be indexed again, and an
 * ingestion that is under way would bring the old name: it begins anew.
 *
 * @returns false when the name is taken; `rerun`: the ingestion that is to be done
 */
export async function renameFileRow(
  tx: Queryable,
  scope: Scope,
  { fileId, changedAt }: Pick<HeldFile, 'fileId' | 'changedAt'>,
  name: string,
): Promise<false | { rerun: QueuedRun | null }> {
  // two that want the same name wait for each other at the index, and the second is told so
  const { rows: taken } = await tx.query(
    'select 1 from files where workspace_id = $1 and project_id = $2 and name = $3 and file_id <> $4',
    [scope.workspaceId, scope.projectId, name, fileId],
  );
  if (taken.length > 0) return false;
  const { rows } = await tx.query<{
    version: number;
    run: number;
    is_unfinished: boolean;
    byte_length: number;
  }>(
    `update files set name = $4, updated_at = $5::timestamptz,
       lexical_build = case when searchable_version is null then lexical_build else 0 end,
       run = case when status in ('queued', 'in_progress') then run + 1 else run end
     where workspace_id = $1 and project_id = $2 and file_id = $3
     returning version, run, status in ('queued', 'in_progress') as is_unfinished,
       (select byte_length from file_versions v
        where v.workspace_id = $1 and v.project_id = $2 and v.file_id = $3 and v.version = files.version)`,
    [scope.workspaceId, scope.projectId, fileId, name, changedAt],
  );
  const row = rows[0];
  if (!row) throw new Error('the file that is renamed is gone');
  const { version, run, is_unfinished, byte_length: bytes } = row;
  return { rerun: is_unfinished ? { fileId, version, run, name, bytes } : null };
}

const PLACE = `header_path as "headerPath", breadcrumb, text, char_start as "charStart", char_end as "charEnd", page, tokens`;

/** The parents and leaves that a file is searched by, in their order. */
export async function selectDocument(
  tx: Queryable,
  scope: Scope,
  fileId: string,
): Promise<{ parents: Parent[]; leaves: Leaf[] }> {
  const key = [scope.workspaceId, scope.projectId, fileId];
  const { rows: parents } = await tx.query<Parent>(
    `select parent_id as id, parent_index as "parentIndex", ${PLACE} from document_parents
     where workspace_id = $1 and project_id = $2 and file_id = $3 order by parent_index`,
    key,
  );
  const { rows: leaves } = await tx.query<Leaf>(
    `select leaf_id as id, parent_id as "parentId", leaf_index as "leafIndex", content_hash as "contentHash", oversized, ${PLACE}
     from document_leaves where workspace_id = $1 and project_id = $2 and file_id = $3 order by leaf_index`,
    key,
  );
  return { parents, leaves };
}

/** What a document's parents or leaves were called, and are to be. */
export type NewIds = ReadonlyMap<string, string>;

/** Puts a document in the place of the same one under other ids; its vectors and contexts go along. */
export async function replaceIds(
  tx: Queryable,
  scope: Scope,
  file: { fileId: string; version: number },
  {
    document,
    newIds,
    newHashes,
  }: {
    document: { parents: readonly Parent[]; leaves: readonly Leaf[] };
    newIds: NewIds;
    newHashes: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const { fileId, version } = file;
  await putParentsAndLeaves(tx, scope, fileId, version, document);
  await renameContexts(tx, scope, fileId, newHashes);
  for (const batch of batches([...newIds])) {
    await tx.query(
      `update leaf_vectors v set leaf_id = ids.fresh
       from unnest($4::text[], $5::text[]) as ids (old, fresh)
       where v.workspace_id = $1 and v.project_id = $2 and v.file_id = $3 and v.leaf_id = ids.old`,
      [
        scope.workspaceId,
        scope.projectId,
        fileId,
        batch.map(([old]) => old),
        batch.map(([, fresh]) => fresh),
      ],
    );
  }
  const old = [scope.workspaceId, scope.projectId, fileId, [...newIds.keys()]];
  for (const [table, id] of [
    ['document_leaves', 'leaf_id'],
    ['document_parents', 'parent_id'],
  ]) {
    await tx.query(
      `delete from ${table} where workspace_id = $1 and project_id = $2 and file_id = $3 and ${id} = any ($4::text[])`,
      old,
    );
  }
}
