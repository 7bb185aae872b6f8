import type { Scope } from '../../scope.ts';
import { batches } from '../batches.ts';
import type { Queryable } from '../database.ts';
import { type EmbeddedSummary, selectAllProjects, selectSummariesAfter } from '../embedded-texts.ts';
import { type CachedModel, cacheKey, findCachedHashes } from '../embedding-cache.ts';
import { CONTEXT_OF_LEAF, EMBEDDED_HASH } from '../leaf-contexts.ts';

/*
 * The vectors of a cluster's projects, replaced by those of another model: project by project, since the cache that they come from is
 * on the coordinator, and all in the one transaction that puts the model in force.
 */

const OF_PROJECT = 'workspace_id = $1 and project_id = $2';
/** Leaves and summaries of one statement. */
const ROUND = 500;

/**
 * Gives every leaf and every summary the vector that the cache has of this model, as `replaceAllVectors` does on one server.
 *
 * @returns false when something that has a vector, or a leaf, has none there; the transaction must not be committed then
 */
export async function replaceVectorsByProject(tx: Queryable, model: CachedModel): Promise<boolean> {
  await tx.query('set local statement_timeout = 0');
  for (const scope of await selectAllProjects(tx)) {
    const isWhole = (await replaceOfLeaves(tx, scope, model)) && (await replaceOfSummaries(tx, scope, model));
    if (!isWhole) return false;
    await tx.query(`update files set vectors_pending = 0 where ${OF_PROJECT} and vectors_pending > 0`, [
      scope.workspaceId,
      scope.projectId,
    ]);
  }
  return true;
}

interface LeafPlace {
  leaf_id: string;
  file_id: string;
  hash: string;
  with_context: boolean;
}

async function replaceOfLeaves(tx: Queryable, scope: Scope, model: CachedModel): Promise<boolean> {
  const key = [scope.workspaceId, scope.projectId];
  await tx.query(`delete from leaf_vectors where ${OF_PROJECT}`, key);
  for (let last = ''; ; ) {
    const { rows: leaves } = await tx.query<LeafPlace>(
      `select l.leaf_id, l.file_id, ${EMBEDDED_HASH} as hash, c.context is not null as with_context
       from document_leaves l ${CONTEXT_OF_LEAF}
       where l.workspace_id = $1 and l.project_id = $2 and l.leaf_id > $3 order by l.leaf_id limit $4`,
      [...key, last, ROUND],
    );
    if (leaves.length === 0) return true;
    const { rowCount } = await tx.query(
      `insert into leaf_vectors (workspace_id, project_id, leaf_id, file_id, embedding, with_context)
       select $1, $2, l.leaf_id, l.file_id, c.embedding, l.with_context
       from unnest($5::text[], $6::text[], $7::text[], $8::boolean[]) as l (leaf_id, file_id, hash, with_context)
       join embedding_cache c on c.model = $3 and c.dimensions = $4 and c.input_hash = l.hash`,
      [
        ...[...key, model.id, model.dimensions],
        leaves.map((leaf) => leaf.leaf_id),
        leaves.map((leaf) => leaf.file_id),
        leaves.map((leaf) => cacheKey(scope.workspaceId, leaf.hash)),
        leaves.map((leaf) => leaf.with_context),
      ],
    );
    if (rowCount < leaves.length) return false;
    last = leaves.at(-1)?.leaf_id ?? last;
  }
}

async function replaceOfSummaries(tx: Queryable, scope: Scope, model: CachedModel): Promise<boolean> {
  const key = [scope.workspaceId, scope.projectId];
  const summaries: EmbeddedSummary[] = [];
  for (let last: EmbeddedSummary | null | undefined = null; last !== undefined; ) {
    const some: EmbeddedSummary[] = await selectSummariesAfter(tx, scope, last, ROUND);
    summaries.push(...some);
    last = some.at(-1);
  }
  // an acknowledgement has none, whatever it had before; nor may what no model has a vector for any more keep one of another
  await tx.query(
    `update turn_summaries set embedding = null where ${OF_PROJECT} and embedding is not null`,
    key,
  );
  for (const batch of batches(summaries)) {
    const hashes = batch.map(({ hash }) => cacheKey(scope.workspaceId, hash));
    const known = new Set(await findCachedHashes(tx, model, hashes));
    if (batch.some(({ has_vector }, place) => has_vector && !known.has(hashes[place] ?? ''))) return false;
    await tx.query(
      `update turn_summaries s set embedding = c.embedding
       from unnest($5::int[], $6::text[]) as l (turn_number, hash)
       join embedding_cache c on c.model = $3 and c.dimensions = $4 and c.input_hash = l.hash
       where s.workspace_id = $1 and s.project_id = $2 and s.turn_number = l.turn_number`,
      [...key, model.id, model.dimensions, batch.map((summary) => summary.turn_number), hashes],
    );
  }
  return true;
}
