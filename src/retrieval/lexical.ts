import type { Queryable } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from '../text/terms.ts';
import { fileFilterParams, fileFilterSql, headerFilterSql } from './file-filter.ts';
import type { LeafHit, LeafRanking } from './leaf-hit.ts';
import { type FileScores, type PostingsRow, type SearchableFiles, scoreFiles } from './lexical-scores.ts';
import type { DocumentFilters } from './passage.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

/**
 * Postings that a query reads at most: some milliseconds of scoring. Its rarest terms come first, whatever they have;
 * common words, which say little anyway, are left out of large projects.
 */
const MAX_POSTINGS = 200_000;

// One row a term, its files side by side: a row for each term and file took longer to read than to score. The three
// aggregates see the rows in the same order. The terms are joined with their project, and not looked for in $1 and $2: of
// a project that is younger than the statistics the planner would read all postings (see dense.ts). The first row has the
// project's files with it: what is scored must be of one moment, and a statement of their own would be a round trip more.
const POSTINGS = `
  with asked as materialized (
    select $1::text as workspace_id, $2::text as project_id, unnest($3::text[]) as term
  ), found as (
    select term, sum(leaf_count)::int as df, count(*)::int as file_df, json_agg(file_id) as files,
      json_agg(leaf_count) as counts, string_agg(packed, ''::bytea) as packed,
      sum(sum(leaf_count)) over (order by sum(leaf_count), term) as running
    from asked join leaf_postings using (workspace_id, project_id, term) group by term
  ), searchable as materialized (
    select json_build_object('ids', json_agg(f.file_id), 'versions', json_agg(f.searchable_version),
      'leaves', json_agg(f.chunk_count), 'lengths', json_agg(f.lexical_length),
      'wanted', json_agg(${fileFilterSql(4)})) as files
    from files f where f.workspace_id = $1 and f.project_id = $2 and f.searchable_version is not null
    having count(*) > 0
  )
  select term, df, file_df, found.files, counts, packed,
    case when row_number() over (order by running) = 1 then searchable.files end as searchable
  from found cross join searchable where running <= ${MAX_POSTINGS} or running = df`;

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
  tuning: RetrievalTuning['lexical'] = retrievalTuning.lexical,
): Promise<LeafRanking & { ceiling: number }> {
  const terms = analyseQuery(query.text);
  if (terms.size === 0) return { hits: [], more: false, ceiling: 1 };
  const [{ rows }, under] = await Promise.all([
    db.query<PostingsRow & { searchable: SearchableFiles | null }>(POSTINGS, [
      scope.workspaceId,
      scope.projectId,
      [...terms.keys()],
      ...fileFilterParams(query.filters),
    ]),
    leavesUnder(db, scope, query.filters.headerPath),
  ]);
  const files = rows.find(({ searchable }) => searchable !== null)?.searchable;
  if (!files) return { hits: [], more: false, ceiling: 1 };
  const { scored, ceiling } = scoreFiles(rows, files, terms, tuning);
  if (under) keepOnly(scored, under);
  return { ...best(scored, query.limit), ceiling };
}
