import type { Queryable } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from './analyse.ts';
import { fileFilterParams, fileFilterSql, headerFilterSql } from './file-filter.ts';
import type { LeafHit, LeafRanking } from './leaf-hit.ts';
import { type PostingsRow, type SearchableFiles, scoreFiles } from './lexical-scores.ts';
import type { DocumentFilters } from './passage.ts';

/**
 * Postings that a query reads at most: some milliseconds of scoring. Its rarest terms come first, whatever they have;
 * common words, which say little anyway, are left out of large projects.
 */
const MAX_POSTINGS = 200_000;

// One row a term, its files side by side in JSON arrays: a row for each term and file took longer to read than to score.
const POSTINGS = `
  select * from (
    select p.term, sum(p.leaf_count)::int as df, count(*)::int as file_df,
      json_agg(f.seq order by f.seq) filter (where passes) as files,
      json_agg(p.leaf_count order by f.seq) filter (where passes) as counts,
      string_agg(p.packed, ''::bytea order by f.seq) filter (where passes) as packed,
      sum(sum(p.leaf_count)) over (order by sum(p.leaf_count), p.term) as running
    from leaf_postings p
    join (select file_id, seq, ${fileFilterSql(4)} as passes from files f where f.workspace_id = $1 and f.project_id = $2) f
      on f.file_id = p.file_id
    where p.workspace_id = $1 and p.project_id = $2 and p.term = any($3::text[])
    group by p.term
  ) asked
  where packed is not null and (running <= ${MAX_POSTINGS} or running = df)`;

const FILES = `
  select coalesce(json_agg(seq order by seq), '[]') as keys, coalesce(json_agg(file_id order by seq), '[]') as ids,
    coalesce(json_agg(searchable_version order by seq), '[]') as versions,
    coalesce(json_agg(chunk_count order by seq), '[]') as leaves,
    coalesce(json_agg(lexical_length order by seq), '[]') as lengths
  from files where workspace_id = $1 and project_id = $2 and searchable_version is not null`;

/** Leaves under the headings asked for, by file; null: no headings were asked for. */
async function leavesUnder(
  db: Queryable,
  scope: Scope,
  headerPath: string[],
): Promise<Map<string, Set<number>> | null> {
  if (headerPath.length === 0) return null;
  const { rows } = await db.query<{ file_id: string; leaf_indexes: number[] }>(
    `select l.file_id, json_agg(l.leaf_index) as leaf_indexes from document_leaves l
     where l.workspace_id = $1 and l.project_id = $2 and ${headerFilterSql(3)} group by l.file_id`,
    [scope.workspaceId, scope.projectId, headerPath],
  );
  return new Map(rows.map((row) => [row.file_id, new Set(row.leaf_indexes)]));
}

const byName = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The `limit` best, best first; ties by file and position, so that the same question has the same answer. */
function best(hits: LeafHit[], limit: number): LeafRanking {
  const scores = Float64Array.from(hits, (hit) => hit.score).sort();
  const least = scores[Math.max(0, scores.length - limit)] ?? 0;
  const kept = hits
    .filter((hit) => hit.score >= least)
    .sort((a, b) => b.score - a.score || byName(a.fileId, b.fileId) || a.leafIndex - b.leafIndex)
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
  const [postings, searchable, under] = await Promise.all([
    db.query<PostingsRow>(POSTINGS, [...project, [...terms.keys()], ...fileFilterParams(query.filters)]),
    db.query<SearchableFiles>(FILES, project),
    leavesUnder(db, scope, query.filters.headerPath),
  ]);
  const [files] = searchable.rows;
  if (!files || postings.rows.length === 0) return { hits: [], more: false, ceiling: 1 };

  const { scored, ceiling } = scoreFiles(postings.rows, files, terms);
  const hits: LeafHit[] = [];
  for (const { fileId, version, scores } of scored) {
    const allowed = under?.get(fileId);
    scores.forEach((score, leafIndex) => {
      if (score === 0 || (under !== null && !allowed?.has(leafIndex))) return;
      hits.push({ fileId, version, leafIndex, score });
    });
  }
  return { ...best(hits, query.limit), ceiling };
}
