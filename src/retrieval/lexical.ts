import type { Queryable } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from './analyse.ts';
import { fileFilterParams, fileFilterSql, headerFilterSql } from './file-filter.ts';
import type { LeafHit, LeafRanking } from './leaf-hit.ts';
import { type PostingsRow, scoreFiles } from './lexical-scores.ts';
import type { DocumentFilters } from './passage.ts';

/**
 * Postings that a query reads at most: some 5 ms of scoring. Its rarest terms come first, whatever they have; common
 * words, which say little anyway, are left out of large projects.
 */
const MAX_POSTINGS = 200_000;

const POSTINGS = `
  with asked as (
    select term, df, file_df, sum(df) over (order by df, term) as running
    from (
      select term, sum(leaf_count)::int as df, count(*)::int as file_df from leaf_postings
      where workspace_id = $1 and project_id = $2 and term = any($3::text[]) group by term
    ) counted
  )
  select p.term, a.df, a.file_df, p.packed,
    f.file_id, f.searchable_version as version, f.chunk_count, f.lexical_length::float8 as length, total.*
  from asked a
  cross join (
    select count(*)::int as files, coalesce(sum(chunk_count), 0)::int as leaves,
      coalesce(sum(lexical_length), 0)::float8 as total_length
    from files where workspace_id = $1 and project_id = $2 and searchable_version is not null
  ) total
  join leaf_postings p on p.workspace_id = $1 and p.project_id = $2 and p.term = a.term
  join files f on f.workspace_id = $1 and f.project_id = $2 and f.file_id = p.file_id
  where (a.running <= ${MAX_POSTINGS} or a.running = a.df) and ${fileFilterSql(4)}`;

/** Leaves under the headings asked for, by file; null: no headings were asked for. */
async function leavesUnder(
  db: Queryable,
  scope: Scope,
  headerPath: string[],
): Promise<Map<string, Set<number>> | null> {
  if (headerPath.length === 0) return null;
  const { rows } = await db.query<{ file_id: string; leaf_indexes: number[] }>(
    `select l.file_id, array_agg(l.leaf_index) as leaf_indexes from document_leaves l
     where l.workspace_id = $1 and l.project_id = $2 and ${headerFilterSql(3)} group by l.file_id`,
    [scope.workspaceId, scope.projectId, headerPath],
  );
  return new Map(rows.map((row) => [row.file_id, new Set(row.leaf_indexes)]));
}

/** The `limit` best, best first; ties by file and position, so that the same question has the same answer. */
function best(hits: LeafHit[], limit: number): LeafRanking {
  const scores = Float64Array.from(hits, (hit) => hit.score).sort();
  const least = scores[Math.max(0, scores.length - limit)] ?? 0;
  const kept = hits
    .filter((hit) => hit.score >= least)
    .sort(
      (a, b) =>
        b.score - a.score ||
        (a.fileId < b.fileId ? -1 : Number(a.fileId > b.fileId)) ||
        a.leafIndex - b.leafIndex,
    )
    .slice(0, limit);
  return { hits: kept, more: hits.length > limit };
}

/**
 * The leaves of a project that have words of the query, by BM25 over the project's leaves with the context of each leaf
 * added (`addContext`). Filters are applied before the cut.
 *
 * @returns the ranking, and the score that a leaf full of every word of the query would come near to
 */
export async function rankByWords(
  db: Queryable,
  scope: Scope,
  query: { text: string; limit: number; filters: DocumentFilters },
): Promise<LeafRanking & { ceiling: number }> {
  const terms = analyseQuery(query.text);
  if (terms.size === 0) return { hits: [], more: false, ceiling: 1 };
  const project = [scope.workspaceId, scope.projectId];
  const [postings, under] = await Promise.all([
    db.query<PostingsRow>(POSTINGS, [...project, [...terms.keys()], ...fileFilterParams(query.filters)]),
    leavesUnder(db, scope, query.filters.headerPath),
  ]);

  const { files, ceiling } = scoreFiles(postings.rows, terms);
  const hits: LeafHit[] = [];
  for (const { fileId, version, scores } of files) {
    const allowed = under?.get(fileId);
    scores.forEach((score, leafIndex) => {
      if (score > 0 && (under === null || allowed?.has(leafIndex)))
        hits.push({ fileId, version, leafIndex, score });
    });
  }
  return { ...best(hits, query.limit), ceiling };
}
