import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { fileFilterParams, fileFilterSql, headerFilterSql, type LeafFilter } from './file-filter.ts';
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
    where ${headerFilterSql(7)} order by distance limit $4)`;

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

/**
 * The leaves of a project whose vectors are nearest to the query's, nearest first, by an exact scan: every leaf that
 * passes the filter is compared, so none is missed. Scores are cosine similarities.
 *
 * @param query.vector of unit length, as the stored ones are
 */
export async function selectNearestLeaves(
  db: Queryable,
  scope: Scope,
  query: { vector: Float32Array; limit: number; filter: LeafFilter },
): Promise<LeafHit[]> {
  const { sql, params } = nearestSql(query.filter);
  const { rows } = await db.query<{
    file_id: string;
    version: number;
    leaf_index: number;
    similarity: number;
  }>(
    `${sql}
     select file_id, f.searchable_version as version, l.leaf_index, -nearest.distance as similarity
     from nearest
     join document_leaves l using (workspace_id, project_id, leaf_id)
     join files f using (workspace_id, project_id, file_id)
     where f.searchable_version is not null
     order by nearest.distance, file_id, l.leaf_index`,
    [scope.workspaceId, scope.projectId, toVectorText(query.vector), query.limit, ...params],
  );
  return rows.map((row) => ({
    fileId: row.file_id,
    version: row.version,
    leafIndex: row.leaf_index,
    score: row.similarity,
  }));
}
