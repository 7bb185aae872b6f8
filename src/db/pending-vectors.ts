import type { Leaf } from '../documents/chunking/chunks.ts';
import type { EmbeddableLeaf } from '../documents/chunking/embedding-text.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { type IngestRun, keyOf, OF_RUN } from './file-runs.ts';
import { CONTEXT_OF_LEAF } from './leaf-contexts.ts';

/** A leaf that is to be embedded. */
export type LeafToEmbed = Pick<Leaf, 'id' | 'contentHash'> & EmbeddableLeaf;

// Not a join, which "not exists" would become: nothing is known yet of how many rows were added, and the planner would compare
// each with each.
const hasNone = (leafId: string): string => `(select 1 from leaf_vectors v
  where v.workspace_id = $1 and v.project_id = $2 and v.leaf_id = ${leafId}) is null`;

const TO_EMBED = 'l.leaf_id as id, l.content_hash as "contentHash", l.breadcrumb, l.text, c.context';

/** The leaves of a file that have no vector, in their order. */
export async function selectLeavesToEmbed(
  db: Queryable,
  scope: Scope,
  fileId: string,
): Promise<LeafToEmbed[]> {
  const { rows } = await db.query<LeafToEmbed>(
    `select ${TO_EMBED} from document_leaves l ${CONTEXT_OF_LEAF}
     where l.workspace_id = $1 and l.project_id = $2 and l.file_id = $3 and ${hasNone('l.leaf_id')}
     order by l.leaf_index`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rows;
}

/** The leaves of a file whose vector is of the leaf without its context, or with one that it no longer has, in their order. */
export async function selectLeavesToEmbedAnew(
  db: Queryable,
  scope: Scope,
  fileId: string,
): Promise<LeafToEmbed[]> {
  const { rows } = await db.query<LeafToEmbed>(
    `select ${TO_EMBED} from leaf_vectors v
     join document_leaves l on l.workspace_id = v.workspace_id and l.project_id = v.project_id and l.leaf_id = v.leaf_id
     ${CONTEXT_OF_LEAF}
     where v.workspace_id = $1 and v.project_id = $2 and v.file_id = $3 and v.with_context <> (c.context is not null)
     order by l.leaf_index`,
    [scope.workspaceId, scope.projectId, fileId],
  );
  return rows;
}

/** Which of some leaves have no vector. */
export async function selectWithoutVector(
  db: Queryable,
  scope: Scope,
  leafIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select id from unnest($3::text[]) as wanted (id) where ${hasNone('wanted.id')}`,
    [scope.workspaceId, scope.projectId, leafIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/**
 * Notes how many leaves of the searchable version have no vector, or how many more have got one, which ends any wait; false when
 * the run is no longer the one that counts.
 */
export async function recordVectors(
  db: Queryable,
  scope: Scope,
  run: IngestRun,
  change: { pending: number } | { added: number },
): Promise<boolean> {
  const pending = 'pending' in change ? '$7::int' : 'greatest(0, vectors_pending - $7::int)';
  const { rowCount } = await db.query(
    `update files set vectors_pending = ${pending}, chunks_done = chunk_count - ${pending}, chunks_total = chunk_count,
       stage = 'embedding', retry_at = null, rate_limited = false, updated_at = now()
     where ${OF_RUN}`,
    [...keyOf(scope, run), 'pending' in change ? change.pending : change.added],
  );
  return rowCount > 0;
}
