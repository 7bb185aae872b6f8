import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import {
  fileFilterParams,
  fileFilterSql,
  headerFilterSql,
  type LeafFilter,
  letsAllThrough,
} from './file-filter.ts';
import { selectFileIds } from './large-projects.ts';
import type { LeafHit } from './leaf-hit.ts';
import { toVectorText } from './vector-text.ts';

// All vectors have unit length, so the inner product is the cosine, at two thirds of its cost; "<#>" is its negative.
// "+ 0" keeps an approximate index away, should there be one: with a filter it returns too few rows.
const DISTANCE = '(v.embedding <#> $3::vector) + 0';

const COLUMNS = `v.workspace_id, v.project_id, v.leaf_id, ${DISTANCE} as distance`;

/*
 * Tables are joined by the columns of what was read before, in a materialised part, and not by $1 and $2: of a project
 * that is younger than the statistics the planner expects one row in each, takes any index that begins with the project,
 * and reads all of its leaves again for each hit (measured on 228 leaves: 4 ms became 40).
 */

/** Nearest vectors of the project: nothing but the narrow table is read. What has a vector is searchable. */
const NEAREST = `with nearest as materialized (
    select ${COLUMNS} from leaf_vectors v
    where v.workspace_id = $1 and v.project_id = $2
    order by distance limit $4)`;

const WANTED = `with wanted as materialized (
    select f.workspace_id, f.project_id, f.file_id from files f
    where f.workspace_id = $1 and f.project_id = $2 and f.searchable_version is not null and ${fileFilterSql(5)})`;

/** Nearest vectors of some files: whose they are stands beside them. Of one file it takes half as long to say so. */
const nearestInFiles = (files: string): string => `${WANTED}, nearest as materialized (
    select ${COLUMNS} from leaf_vectors v
    where v.workspace_id = $1 and v.project_id = $2 and v.file_id = ${files}
    order by distance limit $4)`;
const NEAREST_IN_FILES = nearestInFiles('any(array(select file_id from wanted))');
const NEAREST_IN_FILE = nearestInFiles('(select file_id from wanted)');

const NEAREST_UNDER_HEADINGS = `${WANTED}, nearest as materialized (
    select ${COLUMNS} from wanted
    join document_leaves l using (workspace_id, project_id, file_id)
    join leaf_vectors v using (workspace_id, project_id, leaf_id)
    where l.project_id = $2 and v.project_id = $2 and ${headerFilterSql(7)} order by distance limit $4)`;

/** The statement for what is asked, and what it takes besides project, vector and limit. */
function nearestSql(filter: LeafFilter): { sql: string; params: unknown[] } {
  const files = fileFilterParams(filter);
  if (filter.headerPath.length > 0) {
    return { sql: NEAREST_UNDER_HEADINGS, params: [...files, filter.headerPath] };
  }
  if (filter.filenames.length === 1) return { sql: NEAREST_IN_FILE, params: files };
  const inFiles = filter.filenames.length + filter.mediaTypes.length > 0;
  return inFiles ? { sql: NEAREST_IN_FILES, params: files } : { sql: NEAREST, params: [] };
}

/** By the approximate index of a large project: `nearest_by_index` names the project in its own statement. */
const NEAREST_BY_INDEX = `with nearest as materialized (
    select $1::text as workspace_id, $2::text as project_id, leaf_id, distance
    from nearest_by_index($1, $2, $3, $5, $4, $6::text[]))`;

/**
 * Which leaves they are, and how their files are at this moment. The leaves are read first: of the files, the planner expects few,
 * and would join each of them with each vector.
 */
const FOUND = `, placed as materialized (
     select l.workspace_id, l.project_id, l.file_id, l.leaf_index, nearest.distance
     from nearest join document_leaves l using (workspace_id, project_id, leaf_id) where l.project_id = $2)
   select file_id, f.searchable_version as version, leaf_index, -distance as similarity
   from placed join files f using (workspace_id, project_id, file_id)
   where f.project_id = $2 and f.searchable_version is not null
   order by distance, file_id, leaf_index`;

/** What is compared with. */
interface NearestQuery {
  /** Of unit length, as the stored ones are. */
  vector: Float32Array;
  limit: number;
  filter: LeafFilter;
}

interface NearRow {
  file_id: string;
  version: number;
  leaf_index: number;
  similarity: number;
}

const toHit = (row: NearRow): LeafHit => ({
  fileId: row.file_id,
  version: row.version,
  leafIndex: row.leaf_index,
  score: row.similarity,
});

/**
 * The leaves of a project whose vectors are nearest to the query's, nearest first, by an exact scan: every leaf that
 * passes the filter is compared, so none is missed. Scores are cosine similarities.
 */
export async function selectNearestLeaves(
  db: Queryable,
  scope: Scope,
  query: NearestQuery,
): Promise<LeafHit[]> {
  const { sql, params } = nearestSql(query.filter);
  const { rows } = await db.query<NearRow>(`${sql} ${FOUND}`, [
    scope.workspaceId,
    scope.projectId,
    toVectorText(query.vector),
    query.limit,
    ...params,
  ]);
  return rows.map(toHit);
}

/**
 * The same by the project's approximate index, which misses one in a hundred or so, and compares some hundred leaves instead of all.
 * Without the index the answer is the same, and takes as long as the exact one. Filters by heading are not for it.
 */
export async function selectNearestByIndex(
  db: Queryable,
  scope: Scope,
  { vector, limit, filter }: NearestQuery,
): Promise<LeafHit[]> {
  const files = letsAllThrough(filter) ? null : await selectFileIds(db, scope, filter);
  const { rows } = await db.query<NearRow>(`${NEAREST_BY_INDEX} ${FOUND}`, [
    scope.workspaceId,
    scope.projectId,
    toVectorText(vector),
    limit,
    vector.length,
    files,
  ]);
  return rows.map(toHit);
}
