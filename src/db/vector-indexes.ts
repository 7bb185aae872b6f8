import { createHash } from 'node:crypto';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/*
 * Approximate indexes over vectors (HNSW: arxiv.org/abs/1603.09320), one for each large project and none for the others. One over all
 * vectors would have to be searched past those of all other projects, and held in memory for the many small ones that are compared
 * in full within milliseconds. Vectors are kept in it at half precision, which halves it; what is found is compared in full.
 */

/** A project of fewer leaves has no index. */
export const LEAST_INDEXED = 1_000;

/** Neighbours of each vector, and how many it is chosen from: `m` and `ef_construction` of the paper, above pgvector's 16 and 64. */
const NEIGHBOURS = 24;
const BUILT_OF = 128;

const PREFIX = 'vectors_near_';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Name of the index of a project's vectors; of other dimensions than those in force it is another index. */
export const vectorIndexName = ({ workspaceId, projectId }: Scope, dimensions: number): string => {
  const hash = createHash('sha256').update(`${workspaceId}/${projectId}`).digest('hex').slice(0, 24);
  return `${PREFIX}${dimensions}_${hash}`;
};

/** The statement that builds it, beside those who write. It stands in no transaction. */
export const vectorIndexSql = (scope: Scope, dimensions: number): string =>
  `create index concurrently ${vectorIndexName(scope, dimensions)} on leaf_vectors
     using hnsw ((embedding::halfvec(${dimensions})) halfvec_ip_ops) with (m = ${NEIGHBOURS}, ef_construction = ${BUILT_OF})
     where workspace_id = ${literal(scope.workspaceId)} and project_id = ${literal(scope.projectId)}
       and vector_dims(embedding) = ${dimensions}`;

export const dropVectorIndexSql = (name: string): string => `drop index concurrently if exists "${name}"`;

/** The indexes there are; one that is not valid was not built to its end. */
export async function selectVectorIndexes(db: Queryable): Promise<{ name: string; isValid: boolean }[]> {
  const { rows } = await db.query<{ name: string; isValid: boolean }>(
    `select c.relname as name, i.indisvalid as "isValid" from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'leaf_vectors'::regclass and starts_with(c.relname, $1)`,
    [PREFIX],
  );
  return rows;
}

/** Whether the project's vectors of so many dimensions have an index that can be used. */
export async function hasVectorIndex(db: Queryable, scope: Scope, dimensions: number): Promise<boolean> {
  const { rows } = await db.query(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'leaf_vectors'::regclass and c.relname = $1 and i.indisvalid`,
    [vectorIndexName(scope, dimensions)],
  );
  return rows.length > 0;
}

/** The projects that have more than so many leaves to search, the largest first. */
export async function selectLargeProjects(db: Queryable, leaves: number): Promise<Scope[]> {
  const { rows } = await db.query<Scope>(
    `select workspace_id as "workspaceId", project_id as "projectId" from files
     where searchable_version is not null group by workspace_id, project_id
     having sum(chunk_count) > $1 order by sum(chunk_count) desc, workspace_id, project_id`,
    [leaves],
  );
  return rows;
}

/** Whether the role of the connection may build indexes over vectors. */
export async function ownsVectors(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ owns: boolean }>(
    `select pg_has_role(relowner, 'usage') as owns from pg_class where oid = 'leaf_vectors'::regclass`,
  );
  return rows[0]?.owns === true;
}
