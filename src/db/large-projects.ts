import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { type FileFilter, fileFilterParams, fileFilterSql, letsAllThrough } from './file-filter.ts';
import type { PostingsRow, SearchableFiles } from './postings-search.ts';

/** What the searchable files of a project come to. */
export interface SearchableTotals {
  files: number;
  leaves: number;
  /** Sections that they are read in. */
  sections: number;
  /** Terms. */
  length: number;
}

const NONE: SearchableTotals = { files: 0, leaves: 0, sections: 0, length: 0 };

/** What the files come to that a filter lets through. */
export async function selectSearchableTotals(
  db: Queryable,
  scope: Scope,
  filter: FileFilter = { filenames: [], mediaTypes: [] },
): Promise<SearchableTotals> {
  const { rows } = await db.query<SearchableTotals>(
    `select count(*)::int as files, coalesce(sum(f.chunk_count), 0)::int as leaves,
       coalesce(sum(f.parent_count), 0)::int as sections, coalesce(sum(f.lexical_length), 0)::float8 as length
     from files f where f.workspace_id = $1 and f.project_id = $2 and ${fileFilterSql(3)}`,
    [scope.workspaceId, scope.projectId, ...fileFilterParams(filter)],
  );
  return rows[0] ?? NONE;
}

/** How many leaves of the files that a filter lets through have no vector yet. */
export async function countVectorsPending(db: Queryable, scope: Scope, filter: FileFilter): Promise<number> {
  const { rows } = await db.query<{ pending: number }>(
    `select coalesce(sum(f.vectors_pending), 0)::int as pending from files f
     where f.workspace_id = $1 and f.project_id = $2 and f.vectors_pending > 0 and ${fileFilterSql(3)}`,
    [scope.workspaceId, scope.projectId, ...fileFilterParams(filter)],
  );
  return rows[0]?.pending ?? 0;
}

/** The ids of the files that a filter lets through. */
export async function selectFileIds(db: Queryable, scope: Scope, filter: FileFilter): Promise<string[]> {
  const { rows } = await db.query<{ file_id: string }>(
    `select f.file_id from files f where f.workspace_id = $1 and f.project_id = $2 and ${fileFilterSql(3)}`,
    [scope.workspaceId, scope.projectId, ...fileFilterParams(filter)],
  );
  return rows.map((row) => row.file_id);
}

/** How many leaves and files of a project have a term. */
export interface TermCount {
  leaves: number;
  files: number;
}

/** Files from which on a term is common: how many leaves have it is estimated from some of them. */
const COMMON = 500;
const SAMPLE = 300;

/**
 * The counts of terms; those that no file has are left out. How many files have a term is counted in the index alone; how many leaves
 * is added up for rare ones, and estimated for common ones, whose postings would take longer to read than to rank by.
 */
export async function countTerms(
  db: Queryable,
  scope: Scope,
  terms: readonly string[],
): Promise<Map<string, TermCount>> {
  const of = `p.workspace_id = $1 and p.project_id = $2 and p.term = asked.term`;
  const { rows } = await db.query<TermCount & { term: string }>(
    `select asked.term, files::int, case
         when files <= ${COMMON} then (select sum(p.leaf_count) from leaf_postings p where ${of})
         else files * (select avg(sampled.leaf_count) from (
           select p.leaf_count from leaf_postings p where ${of} limit ${SAMPLE}) sampled)
       end::int as leaves
     from unnest($3::text[]) as asked (term)
     cross join lateral (select count(*) as files from leaf_postings p where ${of}) counted
     where files > 0`,
    [scope.workspaceId, scope.projectId, terms],
  );
  return new Map(rows.map(({ term, leaves, files }) => [term, { leaves, files }]));
}

/** Postings of some terms, with the files that have them, of one moment. */
export interface PartOfPostings {
  rows: Pick<PostingsRow, 'term' | 'files' | 'counts' | 'packed'>[];
  /** `revisions`: `files.lexical_revision` of each, which tells whether a segment has the file as it is. */
  files: SearchableFiles & { revisions: number[] };
}

const RESULT = `
  select term, json_agg(file_id) as files, json_agg(leaf_count) as counts, string_agg(packed, ''::bytea) as packed,
    null::json as searchable from hit group by term
  union all
  select null, null, null, null, json_build_object('ids', coalesce(json_agg(f.file_id), '[]'),
    'versions', coalesce(json_agg(f.searchable_version), '[]'), 'leaves', coalesce(json_agg(f.chunk_count), '[]'),
    'sections', coalesce(json_agg(f.parent_count), '[]'), 'lengths', coalesce(json_agg(f.lexical_length), '[]'),
    'revisions', coalesce(json_agg(f.lexical_revision), '[]'), 'wanted', coalesce(json_agg(true), '[]'), 'vectorsPending', 0)
  from touched join files f using (workspace_id, project_id, file_id) where f.project_id = $2 and ${fileFilterSql(4)}`;

/** Of the terms together, so many files at most: those that have them in the most leaves. */
const byTerms = (files: string): string => `
  with asked as materialized (
    select $1::text as workspace_id, $2::text as project_id, unnest($3::text[]) as term
  ), hit as materialized (
    select p.workspace_id, p.project_id, p.term, p.file_id, p.leaf_count, p.packed
    from asked join leaf_postings p using (workspace_id, project_id, term) ${files} where p.project_id = $2
    order by p.leaf_count desc, p.file_id limit $6::int
  ), touched as (select distinct workspace_id, project_id, file_id from hit)
  ${RESULT}`;
const BY_TERMS = byTerms('');
const BY_TERMS_FILTERED = byTerms(
  `join files f on f.workspace_id = $1 and f.project_id = $2 and f.file_id = p.file_id and ${fileFilterSql(4)}`,
);

const IN_FILES = `
  with touched as materialized (
    select $1::text as workspace_id, $2::text as project_id, unnest($6::text[]) as file_id
  ), hit as materialized (
    select p.term, p.file_id, p.leaf_count, p.packed
    from touched cross join unnest($3::text[]) as asked(term)
    join leaf_postings p using (workspace_id, project_id, term, file_id) where p.project_id = $2
  )
  ${RESULT}`;

type Row = PartOfPostings['rows'][number] & { searchable: PartOfPostings['files'] | null };

interface PostingsQuery {
  terms: readonly string[];
  filter: FileFilter;
}

async function selectPart(
  db: Queryable,
  scope: Scope,
  sql: string,
  { terms, filter }: PostingsQuery,
  last: unknown,
): Promise<PartOfPostings> {
  const { rows } = await db.query<Row>(sql, [
    ...[scope.workspaceId, scope.projectId, terms],
    ...fileFilterParams(filter),
    last,
  ]);
  const files = rows.find(({ searchable }) => searchable !== null)?.searchable;
  if (!files) throw new Error('the files of the postings are missing');
  return { rows: rows.filter(({ searchable }) => searchable === null), files };
}

/**
 * The postings of some terms in the files that the filter lets through.
 *
 * @param mostLists that are read, one for each term and file
 */
export const selectPostingsOfTerms = (
  db: Queryable,
  scope: Scope,
  query: PostingsQuery,
  mostLists: number,
): Promise<PartOfPostings> =>
  selectPart(db, scope, letsAllThrough(query.filter) ? BY_TERMS : BY_TERMS_FILTERED, query, mostLists);

/** The same of some files alone. */
export const selectPostingsInFiles = (
  db: Queryable,
  scope: Scope,
  query: PostingsQuery,
  fileIds: readonly string[],
): Promise<PartOfPostings> => selectPart(db, scope, IN_FILES, query, fileIds);
