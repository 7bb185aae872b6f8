import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import type { TermCount } from './large-projects.ts';

/*
 * Segments of the lexical index of large projects: the postings of many files in one row a term, as search engines keep them. A query
 * of a project of a million leaves would read ten thousand rows of a term and a file, and reads some hundred of a term and a segment.
 * The rows of each file stay what counts: segments are made of them, and a file outside of every segment is read from its own.
 */

/** The files of a segment, by their place in it: columns of equal length. */
export interface SegmentFiles {
  ids: string[];
  /** How many leaves, and how many terms each has. */
  leaves: number[];
  lengths: number[];
  /** `files.lexical_revision` of what was taken: with another one now, the file was indexed again since. */
  revisions: number[];
}

/** The postings of a term in a segment. */
export interface SegmentPostings {
  term: string;
  segmentId: string;
  /** For each file its place and how many of its leaves have the term, of two bytes each, and its packed postings. */
  packed: Uint8Array;
}

/** Searchable files that are in no segment, of which so many are named at most. */
export async function selectFilesOutside(db: Queryable, scope: Scope, most: number): Promise<string[]> {
  const { rows } = await db.query<{ file_id: string }>(
    `select file_id from files
     where workspace_id = $1 and project_id = $2 and segment_id is null and searchable_version is not null limit $3`,
    [scope.workspaceId, scope.projectId, most],
  );
  return rows.map((row) => row.file_id);
}

/**
 * The postings of a project's segments: of the rarest terms, as long as they have no more together than may be read, and of the
 * first of them in any case.
 *
 * @returns `counts`: of all terms that a segment has, what was indexed again or deleted since included
 */
export async function selectSegmentPostings(
  db: Queryable,
  scope: Scope,
  terms: readonly string[],
  mostPostings: number,
): Promise<{ lists: SegmentPostings[]; counts: Map<string, TermCount> }> {
  const { rows } = await db.query<{
    term: string;
    files: number | null;
    leaves: number | null;
    segment_id: string | null;
    packed: Buffer | null;
  }>(
    `with found as materialized (
       select term, segment_id, file_count, leaf_count, packed
       from (select $1::text as workspace_id, $2::text as project_id, unnest($3::text[]) as term) asked
       join segment_postings p using (workspace_id, project_id, term) where p.project_id = $2
     ), counted as materialized (
       select term, sum(file_count)::int as files, sum(leaf_count)::int as leaves,
         row_number() over (order by sum(leaf_count), term) = 1
           or sum(sum(leaf_count)) over (order by sum(leaf_count), term) <= $4::int as is_read
       from found group by term
     )
     select term, files, leaves, null as segment_id, null as packed from counted
     union all
     select term, null, null, segment_id::text, packed from found join counted using (term) where is_read`,
    [scope.workspaceId, scope.projectId, terms, mostPostings],
  );
  const lists: SegmentPostings[] = [];
  const counts = new Map<string, TermCount>();
  for (const { term, files, leaves, segment_id: segmentId, packed } of rows) {
    if (segmentId !== null && packed !== null) lists.push({ term, segmentId, packed });
    else counts.set(term, { leaves: leaves ?? 0, files: files ?? 0 });
  }
  return { lists, counts };
}

/** The files of some segments that count: they are there, and as they were when the segment was made. A segment that is gone is left out. */
export async function selectLivingFiles(
  db: Queryable,
  scope: Scope,
  segmentIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  // a segment and its files in one statement: a standby that has the one may lack the others a moment before
  const { rows } = await db.query<{ segment_id: string; files: string[] }>(
    `select s.segment_id::text, array_remove(array_agg(f.file_id), null) as files
     from posting_segments s left join files f on f.workspace_id = s.workspace_id and f.project_id = s.project_id
       and f.segment_id = s.segment_id and f.searchable_version is not null
     where s.workspace_id = $1 and s.project_id = $2 and s.segment_id = any($3::uuid[])
     group by s.segment_id`,
    [scope.workspaceId, scope.projectId, segmentIds],
  );
  return new Map(rows.map(({ segment_id: id, files }) => [id, new Set(files)]));
}

/** The files of some segments, by segment; one that is gone is left out. */
export async function selectSegmentFiles(
  db: Queryable,
  scope: Scope,
  segmentIds: readonly string[],
): Promise<Map<string, SegmentFiles>> {
  const { rows } = await db.query<SegmentFiles & { segment_id: string }>(
    `select segment_id::text, to_json(file_ids) as ids, to_json(leaf_counts) as leaves, to_json(lengths) as lengths,
       to_json(revisions) as revisions
     from posting_segments where workspace_id = $1 and project_id = $2 and segment_id = any($3::uuid[])`,
    [scope.workspaceId, scope.projectId, segmentIds],
  );
  return new Map(rows.map(({ segment_id: id, ...files }) => [id, files]));
}
