import type { Scope } from '../scope.ts';
import type { TextLanguage } from '../text/languages.ts';
import type { Queryable } from './database.ts';
import { type FileFilter, fileFilterParams, fileFilterSql } from './file-filter.ts';
import { textLanguages } from './languages.ts';

/** A term's postings in the project. */
export interface PostingsRow {
  term: string;
  /** Leaves, and files, of the project that have the term. */
  df: number;
  file_df: number;
  /** Ids of files, and how many leaves of each have the term. */
  files: string[];
  counts: number[];
  /** Their packed postings, one after the other. */
  packed: Uint8Array;
}

/** The project's searchable files: columns of equal length, and what they come to. */
export interface SearchableFiles {
  ids: string[];
  versions: number[];
  /** How many leaves, how many sections that they are read in, and how many terms each has. */
  leaves: number[];
  sections: number[];
  lengths: number[];
  /** Whether the filter lets it through. */
  wanted: boolean[];
  /** Leaves without a vector, of all files that it lets through. */
  vectorsPending: number;
}

/** With the languages that the words of all of them were indexed by. */
interface FilesInLanguages extends SearchableFiles {
  languages: TextLanguage[];
}

// One row a term, its files side by side: a row for each term and file took longer to read than to score. The three
// aggregates see the rows in the same order. The terms are joined with their project, and not looked for in $1 and $2: of
// a project that is younger than the statistics the planner would read all postings (see nearest-leaves.ts). The first row
// has the project's files with it: what is scored must be of one moment, and a statement of their own would be a round
// trip more.
const POSTINGS = `
  with asked as materialized (
    select $1::text as workspace_id, $2::text as project_id, unnest($3::text[]) as term
  ), found as (
    select term, sum(leaf_count)::int as df, count(*)::int as file_df, json_agg(file_id) as files,
      json_agg(leaf_count) as counts, string_agg(packed, ''::bytea) as packed,
      sum(sum(leaf_count)) over (order by sum(leaf_count), term) as running
    from asked join leaf_postings p using (workspace_id, project_id, term) where p.project_id = $2 group by term
  ), searchable as materialized (
    select json_build_object('ids', json_agg(f.file_id), 'versions', json_agg(f.searchable_version),
      'leaves', json_agg(f.chunk_count), 'sections', json_agg(f.parent_count), 'lengths', json_agg(f.lexical_length),
      'wanted', json_agg(${fileFilterSql(4)}),
      'vectorsPending', coalesce(sum(f.vectors_pending) filter (where ${fileFilterSql(4)}), 0),
      'languages', json_agg(distinct f.language)) as files
    from files f where f.workspace_id = $1 and f.project_id = $2 and f.searchable_version is not null
    having count(*) > 0
  ), kept as (
    select term, df, running, file_df, running <= $6::int or running = df as is_read, files, counts, packed from found
  )
  select term, df, file_df, case when is_read then kept.files end as files, case when is_read then counts end as counts,
    case when is_read then packed end as packed,
    case when row_number() over (order by running) = 1 then searchable.files end as searchable
  from searchable left join kept on true`;

/** What is null: a term beyond the limit has no postings, and where no term was found there is a row for the files alone. */
type Row = { [Column in keyof PostingsRow]: PostingsRow[Column] | null } & {
  searchable: (SearchableFiles & { languages: (string | null)[] }) | null;
};

const isRead = (row: Row): row is PostingsRow & Row => row.packed !== null;

/**
 * The postings of some terms in a project, its rarest terms first, with the project's searchable files; null where there
 * are none.
 *
 * @param query.limit postings that are read at most: of the terms beyond, but never of the rarest, only is known how many
 *   leaves have them
 * @returns `having`: leaves that have each of the terms that were found
 */
export async function selectPostings(
  db: Queryable,
  scope: Scope,
  query: { terms: readonly string[]; filter: FileFilter; limit: number },
): Promise<{ rows: PostingsRow[]; files: FilesInLanguages; having: Map<string, number> } | null> {
  const { rows } = await db.query<Row>(POSTINGS, [
    scope.workspaceId,
    scope.projectId,
    query.terms,
    ...fileFilterParams(query.filter),
    query.limit,
  ]);
  const files = rows.find(({ searchable }) => searchable !== null)?.searchable;
  if (!files) return null;
  return {
    rows: rows.filter(isRead),
    files: { ...files, languages: textLanguages(files.languages) },
    having: new Map(rows.flatMap(({ term, df }) => (term === null ? [] : [[term, df ?? 0] as const]))),
  };
}
