import type { Queryable } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from './analyse.ts';
import { fileFilterParams, fileFilterSql, headerFilterSql } from './file-filter.ts';
import type { LeafHit, LeafRanking } from './leaf-hit.ts';
import { type FileScores, type PostingsRow, type SearchableFiles, scoreFiles } from './lexical-scores.ts';
import type { DocumentFilters } from './passage.ts';

/**
 * Postings that a query reads at most: some milliseconds of scoring. Its rarest terms come first, whatever they have;
 * common words, which say little anyway, are left out of large projects.
 */
const MAX_POSTINGS = 200_000;

// One row a term, its files side by side: a row for each term and file took longer to read than to score. The three
// aggregates see the rows in the same order. The terms are joined with their project, and not looked for in $1 and $2: of
// a project that is younger than the statistics the planner would read all postings (see dense.ts).
const POSTINGS = `
  with asked as materialized (
    select $1::text as workspace_id, $2::text as project_id, unnest($3::text[]) as term
  )
  select * from (
    select term, sum(leaf_count)::int as df, count(*)::int as file_df, json_agg(file_id) as files,
      json_agg(leaf_count) as counts, string_agg(packed, ''::bytea) as packed,
      sum(sum(leaf_count)) over (order by sum(leaf_count), term) as running
    from asked join leaf_postings using (workspace_id, project_id, term) group by term
  ) asked
  where running <= ${MAX_POSTINGS} or running = df`;

const FILES = `
  select coalesce(json_agg(f.file_id), '[]') as ids, coalesce(json_agg(f.searchable_version), '[]') as versions,
    coalesce(json_agg(f.chunk_count), '[]') as leaves, coalesce(json_agg(f.lexical_length), '[]') as lengths,
    coalesce(json_agg(${fileFilterSql(3)}), '[]') as wanted
  from files f where f.workspace_id = $1 and f.project_id = $2 and f.searchable_version is not null`;

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
function best(files: readonly FileScores[], limit: number): LeafRanking {
  const scores = new Float64Array(files.reduce((total, file) => total + file.scores.length, 0));
  let found = 0;
  for (const file of files) for (const score of file.scores) if (score > 0) scores[found++] = score;
  const least = scores.subarray(0, found).sort()[Math.max(0, found - limit)] ?? Number.POSITIVE_INFINITY;
  const hits: LeafHit[] = [];
  for (const { fileId, version, scores: ofFile } of files) {
    for (const [leafIndex, score] of ofFile.entries()) {
      if (score >= least) hits.push({ fileId, version, leafIndex, score });
    }
  }
  hits.sort((a, b) => b.score - a.score || byName(a.fileId, b.fileId) || a.leafIndex - b.leafIndex);
  return { hits: hits.slice(0, limit), more: found > limit };
}

/** Takes the score of every leaf that is not under the headings asked for. */
function keepOnly(files: readonly FileScores[], under: ReadonlyMap<string, ReadonlySet<number>>): void {
  for (const { fileId, scores } of files) {
    const allowed = under.get(fileId);
    scores.forEach((_, leafIndex) => {
      if (!allowed?.has(leafIndex)) scores[leafIndex] = 0;
    });
  }
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
    db.query<PostingsRow>(POSTINGS, [...project, [...terms.keys()]]),
    db.query<SearchableFiles>(FILES, [...project, ...fileFilterParams(query.filters)]),
    leavesUnder(db, scope, query.filters.headerPath),
  ]);
  const [files] = searchable.rows;
  if (!files) return { hits: [], more: false, ceiling: 1 };
  const { scored, ceiling } = scoreFiles(postings.rows, files, terms);
  if (under) keepOnly(scored, under);
  return { ...best(scored, query.limit), ceiling };
}
