import type { Leaf } from '../contract/leaf.ts';
import type { Leaf as CutLeaf, Parent } from '../documents/chunking/chunks.ts';
import type { Scope } from '../scope.ts';
import { textArrayLiteral } from './array-literal.ts';
import { batches } from './batches.ts';
import type { Queryable } from './database.ts';
import { CONTEXT_OF_LEAF } from './leaf-contexts.ts';
import { OWNER, OWNER_IDS } from './owner.ts';

async function upsertParents(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  parents: readonly Parent[],
) {
  for (const batch of batches(parents)) {
    await tx.query(
      `insert into document_parents (workspace_id, project_id, file_id, version, parent_id, parent_index, header_path,
         breadcrumb, text, char_start, char_end, page, tokens)
       select ${OWNER_IDS}, $3, $4, p.id, p.index, p.path::text[], p.breadcrumb, p.text, p.char_start, p.char_end, p.page, p.tokens
       from unnest($5::text[], $6::int[], $7::text[], $8::text[], $9::text[], $10::int[], $11::int[], $12::int[], $13::int[])
         as p(id, index, path, breadcrumb, text, char_start, char_end, page, tokens), ${OWNER}
       on conflict (workspace_id, project_id, parent_id) do update set version = excluded.version,
         parent_index = excluded.parent_index, header_path = excluded.header_path, breadcrumb = excluded.breadcrumb,
         text = excluded.text, char_start = excluded.char_start, char_end = excluded.char_end, page = excluded.page,
         tokens = excluded.tokens`,
      [
        scope.workspaceId,
        scope.projectId,
        fileId,
        version,
        batch.map((parent) => parent.id),
        batch.map((parent) => parent.parentIndex),
        batch.map((parent) => textArrayLiteral(parent.headerPath)),
        batch.map((parent) => parent.breadcrumb),
        batch.map((parent) => parent.text),
        batch.map((parent) => parent.charStart),
        batch.map((parent) => parent.charEnd),
        batch.map((parent) => parent.page),
        batch.map((parent) => parent.tokens),
      ],
    );
  }
}

async function upsertLeaves(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  leaves: readonly CutLeaf[],
) {
  for (const batch of batches(leaves)) {
    await tx.query(
      `insert into document_leaves (workspace_id, project_id, file_id, version, leaf_id, parent_id, leaf_index,
         header_path, breadcrumb, text, char_start, char_end, page, tokens, content_hash, oversized)
       select ${OWNER_IDS}, $3, $4, l.id, l.parent_id, l.index, l.path::text[], l.breadcrumb, l.text, l.char_start, l.char_end,
         l.page, l.tokens, l.hash, l.oversized
       from unnest($5::text[], $6::text[], $7::int[], $8::text[], $9::text[], $10::text[], $11::int[], $12::int[],
           $13::int[], $14::int[], $15::text[], $16::boolean[])
         as l(id, parent_id, index, path, breadcrumb, text, char_start, char_end, page, tokens, hash, oversized), ${OWNER}
       on conflict (workspace_id, project_id, leaf_id) do update set version = excluded.version,
         parent_id = excluded.parent_id, leaf_index = excluded.leaf_index, char_start = excluded.char_start,
         char_end = excluded.char_end, page = excluded.page`,
      [
        scope.workspaceId,
        scope.projectId,
        fileId,
        version,
        batch.map((leaf) => leaf.id),
        batch.map((leaf) => leaf.parentId),
        batch.map((leaf) => leaf.leafIndex),
        batch.map((leaf) => textArrayLiteral(leaf.headerPath)),
        batch.map((leaf) => leaf.breadcrumb),
        batch.map((leaf) => leaf.text),
        batch.map((leaf) => leaf.charStart),
        batch.map((leaf) => leaf.charEnd),
        batch.map((leaf) => leaf.page),
        batch.map((leaf) => leaf.tokens),
        batch.map((leaf) => leaf.contentHash),
        batch.map((leaf) => leaf.oversized),
      ],
    );
  }
}

/**
 * From so many rows on, what the connection has planned is planned anew. A foreign key is checked by a plan that was made when its
 * table had a handful of rows and reads all of them: with 20,000 more it takes minutes.
 */
const MANY_ROWS = 100;

/** A version's parents and leaves, each in the row of its id. */
export async function putParentsAndLeaves(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  document: { parents: readonly Parent[]; leaves: readonly CutLeaf[] },
): Promise<void> {
  await upsertParents(tx, scope, fileId, version, document.parents);
  await upsertLeaves(tx, scope, fileId, version, document.leaves);
  if (document.leaves.length > MANY_ROWS) await tx.query('discard plans');
}

/**
 * Puts a version's parents and leaves in the place of those of the version before, within the caller's transaction.
 * What is the same in both keeps its row (ids follow from content), and a leaf that stays keeps its vector.
 */
export async function replaceParentsAndLeaves(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  document: { parents: readonly Parent[]; leaves: readonly CutLeaf[] },
): Promise<void> {
  await putParentsAndLeaves(tx, scope, fileId, version, document);
  const old = [scope.workspaceId, scope.projectId, fileId, version];
  for (const table of ['document_leaves', 'document_parents']) {
    await tx.query(
      `delete from ${table} where workspace_id = $1 and project_id = $2 and file_id = $3 and version <> $4`,
      old,
    );
  }
}

/** Removes the sections of a file of which nothing is searchable: an attempt that did not come to its end has stored them. */
export async function discardUnfinished(db: Queryable, scope: Scope, fileId: string): Promise<void> {
  // a vector goes with its leaf; what is broken off between the two is found by the parents that are left
  for (const table of ['document_leaves', 'document_parents']) {
    await db.query(
      `delete from ${table} where workspace_id = $1 and project_id = $2 and file_id = $3 and exists (
         select from files f where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3 and f.searchable_version is null)`,
      [scope.workspaceId, scope.projectId, fileId],
    );
  }
}

/** Makes a version the searchable one, with its figures; `vectorsPending` of its leaves are found by their words alone. */
export async function markSearchable(
  tx: Queryable,
  scope: Scope,
  fileId: string,
  version: number,
  figures: { leaves: number; parents: number; tokens: number; vectorsPending: number },
): Promise<void> {
  await tx.query(
    `update files set searchable_version = $4, chunk_count = $5, chunks_done = $5 - $8::int, chunks_total = $5,
       parent_count = $6, token_estimate = $7, vectors_pending = $8, updated_at = now(),
       stage = case when $8 > 0 then 'embedding' else 'summarizing' end,
       summary_status = case when summary_version = $4 then summary_status else 'pending' end
     where workspace_id = $1 and project_id = $2 and file_id = $3`,
    [
      scope.workspaceId,
      scope.projectId,
      fileId,
      version,
      figures.leaves,
      figures.parents,
      figures.tokens,
      figures.vectorsPending,
    ],
  );
}

/** Of the file that is the third parameter; null: the sections that there are of it are being stored. */
const SEARCHABLE_VERSION = `(select f.searchable_version from files f
  where f.workspace_id = $1 and f.project_id = $2 and f.file_id = $3)`;

/** The leaves of a file's searchable version in document order; bounds on `leaf_index` are exclusive. */
export async function selectLeaves(
  db: Queryable,
  scope: Scope,
  fileId: string,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<Leaf[]> {
  const { rows } = await db.query<Omit<Leaf, 'object'>>(
    `select l.leaf_id as id, l.parent_id, l.leaf_index, l.header_path, l.breadcrumb as context_header, c.context, l.text,
       l.char_start, l.char_end, l.page, l.tokens, l.oversized
     from document_leaves l ${CONTEXT_OF_LEAF}
     where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3 and l.version = ${SEARCHABLE_VERSION}
       and ($4::bigint is null or l.leaf_index > $4) and ($5::bigint is null or l.leaf_index < $5)
     order by l.leaf_index ${page.descending ? 'desc' : 'asc'} limit $6`,
    [scope.workspaceId, scope.projectId, fileId, page.after, page.before, page.limit],
  );
  return rows.map((row) => ({ object: 'leaf', ...row }));
}
