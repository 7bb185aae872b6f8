import type { Queryable } from '../db/database.ts';
import { toVectorText } from '../embeddings/vector-text.ts';
import type { Scope } from '../scope.ts';
import { fileFilterParams, fileFilterSql, headerFilterSql } from './file-filter.ts';
import type { LeafRanking } from './leaf-hit.ts';
import type { DocumentFilters } from './passage.ts';

// All vectors have unit length, so the inner product is the cosine, at two thirds of its cost; "<#>" is its negative.
// "+ 0" keeps an approximate index away, should there be one: with a filter it returns too few rows.
const DISTANCE = '(v.embedding <#> $3::vector) + 0';

const isFiltered = ({ filenames, headerPath, mediaTypes }: DocumentFilters): boolean =>
  filenames.length + headerPath.length + mediaTypes.length > 0;

/** Nearest vectors of the project: nothing but the narrow table is read. */
const NEAREST = `select v.leaf_id, ${DISTANCE} as distance from leaf_vectors v
  where v.workspace_id = $1 and v.project_id = $2`;

const NEAREST_FILTERED = `select v.leaf_id, ${DISTANCE} as distance
  from files f
  join document_leaves l on l.workspace_id = $1 and l.project_id = $2 and l.file_id = f.file_id
  join leaf_vectors v on v.workspace_id = $1 and v.project_id = $2 and v.leaf_id = l.leaf_id
  where f.workspace_id = $1 and f.project_id = $2 and ${fileFilterSql(5)} and ${headerFilterSql(7)}`;

/**
 * The leaves of a project whose vectors are nearest to the query's, by an exact scan: every leaf that passes the filters
 * is compared, so none is missed. Scores are cosine similarities.
 *
 * @param query.vector of unit length, as the stored ones are
 */
export async function rankByVector(
  db: Queryable,
  scope: Scope,
  query: { vector: Float32Array; limit: number; filters: DocumentFilters },
): Promise<LeafRanking> {
  const { vector, limit, filters } = query;
  const filtered = isFiltered(filters);
  const { rows } = await db.query<{
    file_id: string;
    version: number;
    leaf_index: number;
    similarity: number;
  }>(
    `select f.file_id, f.searchable_version as version, l.leaf_index, -nearest.distance as similarity
     from (${filtered ? NEAREST_FILTERED : NEAREST} order by distance limit $4) nearest
     join document_leaves l on l.workspace_id = $1 and l.project_id = $2 and l.leaf_id = nearest.leaf_id
     join files f on f.workspace_id = $1 and f.project_id = $2 and f.file_id = l.file_id
     where f.searchable_version is not null
     order by nearest.distance, l.file_id, l.leaf_index`,
    [
      scope.workspaceId,
      scope.projectId,
      toVectorText(vector),
      limit,
      ...(filtered ? [...fileFilterParams(filters), filters.headerPath] : []),
    ],
  );
  const hits = rows.map((row) => ({
    fileId: row.file_id,
    version: row.version,
    leafIndex: row.leaf_index,
    score: row.similarity,
  }));
  return { hits, more: rows.length >= limit };
}
