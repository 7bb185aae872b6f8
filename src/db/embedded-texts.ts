import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { type CachedModel, cacheKeySql } from './embedding-cache.ts';
import { CONTEXT_OF_LEAF, EMBEDDED_HASH } from './leaf-contexts.ts';
import { IS_FILLER } from './turn-record.ts';

/*
 * Every text that has a vector or is to have one, of all projects: leaves, and summaries of turns. Vectors are put in place
 * from the embedding cache, within the database.
 */

/** A leaf by its key in its project, with the hash of what its vector is made from. */
export interface EmbeddedLeaf {
  leaf_id: string;
  hash: string;
  breadcrumb: string;
  text: string;
  context: string | null;
}

/** A turn's summary by its key in its project, with its hash. */
export interface EmbeddedSummary {
  turn_number: number;
  hash: string;
  summary: string;
  /** It has a vector, of whichever model. */
  has_vector: boolean;
}

/** Of a summary, as services/turns/summarise-job.ts makes it. */
export const SUMMARY_HASH = "encode(sha256(convert_to(summary, 'UTF8')), 'hex')";

/** The projects there are, in the order of their keys. */
export async function selectAllProjects(db: Queryable): Promise<Scope[]> {
  const { rows } = await db.query<Scope>(
    'select workspace_id as "workspaceId", project_id as "projectId" from projects order by workspace_id, project_id',
  );
  return rows;
}

/** The leaves of a project that follow one by key, in the order of their keys; null: from the first. */
export async function selectLeavesAfter(
  db: Queryable,
  { workspaceId, projectId }: Scope,
  after: EmbeddedLeaf | null,
  limit: number,
): Promise<EmbeddedLeaf[]> {
  const { rows } = await db.query<EmbeddedLeaf>(
    `select l.leaf_id, ${EMBEDDED_HASH} as hash, l.breadcrumb, l.text, c.context
     from document_leaves l ${CONTEXT_OF_LEAF}
     where l.workspace_id = $1 and l.project_id = $2 and l.leaf_id > $3 order by l.leaf_id limit $4`,
    [workspaceId, projectId, after?.leaf_id ?? '', limit],
  );
  return rows;
}

/**
 * The summaries of a project that are to have a vector (those of acknowledgements have none) and follow one by key, in the order of
 * their keys; null: from the first.
 */
export async function selectSummariesAfter(
  db: Queryable,
  { workspaceId, projectId }: Scope,
  after: EmbeddedSummary | null,
  limit: number,
): Promise<EmbeddedSummary[]> {
  const { rows } = await db.query<EmbeddedSummary>(
    `select turn_number, ${SUMMARY_HASH} as hash, summary, s.embedding is not null as has_vector
     from turn_summaries s join turns t using (workspace_id, project_id, turn_number)
     where s.workspace_id = $1 and s.project_id = $2 and turn_number > $3 and summary <> '' and not ${IS_FILLER}
     order by turn_number limit $4`,
    [workspaceId, projectId, after?.turn_number ?? 0, limit],
  );
  return rows;
}

/** How many texts there are, leaves and summaries. */
export async function countEmbeddableTexts(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ texts: number }>(
    `select (select count(*) from document_leaves)::int
       + (select count(*) from turn_summaries join turns using (workspace_id, project_id, turn_number)
          where summary <> '' and not ${IS_FILLER})::int as texts`,
  );
  return rows[0]?.texts ?? 0;
}

/** No leaf lacks a vector that it is to have. */
const NONE_PENDING = 'update files set vectors_pending = 0 where vectors_pending > 0';

/** Leaves no text a vector. */
export async function removeAllVectors(tx: Queryable): Promise<void> {
  await tx.query('set local statement_timeout = 0');
  await tx.query('delete from leaf_vectors');
  await tx.query(NONE_PENDING);
  await tx.query('update turn_summaries set embedding = null where embedding is not null');
}

/**
 * Gives every leaf and every summary the vector that the cache has of this model. Searches go on meanwhile and find the
 * vectors of before; whoever stores vectors has to be kept away by the caller.
 *
 * @returns false when something that has a vector, or a leaf, has none there; the transaction must not be committed then
 */
export async function replaceAllVectors(tx: Queryable, model: CachedModel): Promise<boolean> {
  const key = [model.id, model.dimensions];
  // as long as it takes: of a million leaves it is minutes
  await tx.query('set local statement_timeout = 0');
  // an acknowledgement has none, whatever it had before
  await tx.query(
    `update turn_summaries s set embedding = null from turns t
     where (s.workspace_id, s.project_id, s.turn_number) = (t.workspace_id, t.project_id, t.turn_number)
       and s.embedding is not null and ${IS_FILLER}`,
  );
  const { rowCount: summaries } = await tx.query(
    `select 1 from turn_summaries where embedding is not null and not exists (
       select from embedding_cache c
       where c.model = $1 and c.dimensions = $2 and c.input_hash = ${cacheKeySql('workspace_id', SUMMARY_HASH)}) limit 1`,
    key,
  );
  if (summaries > 0) return false;
  // not by truncate, which keeps searches out until the end
  await tx.query('delete from leaf_vectors');
  await tx.query(
    `insert into leaf_vectors (workspace_id, project_id, leaf_id, file_id, embedding, with_context)
     select l.workspace_id, l.project_id, l.leaf_id, l.file_id, e.embedding, c.context is not null
     from document_leaves l ${CONTEXT_OF_LEAF}
     join embedding_cache e on e.model = $1 and e.dimensions = $2 and e.input_hash = ${cacheKeySql('l.workspace_id', EMBEDDED_HASH)}`,
    key,
  );
  // what no model has a vector for any more must not keep one of another
  await tx.query('update turn_summaries set embedding = null where embedding is not null');
  await tx.query(
    `update turn_summaries s set embedding = c.embedding from embedding_cache c, turns t
     where c.model = $1 and c.dimensions = $2 and c.input_hash = ${cacheKeySql('s.workspace_id', SUMMARY_HASH)}
       and (s.workspace_id, s.project_id, s.turn_number) = (t.workspace_id, t.project_id, t.turn_number)
       and not ${IS_FILLER}`,
    key,
  );
  await tx.query(NONE_PENDING);
  const { rowCount: leaves } = await tx.query(
    `select 1 from document_leaves l
     where not exists (select from leaf_vectors v where v.workspace_id = l.workspace_id
       and v.project_id = l.project_id and v.leaf_id = l.leaf_id) limit 1`,
  );
  return leaves === 0;
}

/** Whether there is anything that has a vector, or would have one. */
export async function hasEmbeddableTexts(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(
    "select 1 from document_leaves union all select 1 from turn_summaries where summary <> '' limit 1",
  );
  return rowCount > 0;
}
