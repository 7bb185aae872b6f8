import { randomUUID } from 'node:crypto';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';

/** Waits until nobody else merges segments of the project, and keeps others from it for this transaction. */
export async function holdSegments(tx: Queryable, { workspaceId, projectId }: Scope): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`segments ${workspaceId}/${projectId}`]);
}

/** A segment, and what of it still counts. */
export interface SegmentSize {
  segmentId: string;
  leaves: number;
  /** Leaves of files that are as they were when it was made. */
  living: number;
}

/** The project's segments, the one with the fewest living leaves first. */
export async function selectSegmentSizes(db: Queryable, scope: Scope): Promise<SegmentSize[]> {
  const { rows } = await db.query<SegmentSize>(
    `select s.segment_id::text as "segmentId", s.leaves,
       coalesce((select sum(f.chunk_count) from files f
         where f.workspace_id = $1 and f.project_id = $2 and f.segment_id = s.segment_id), 0)::int as living
     from posting_segments s where s.workspace_id = $1 and s.project_id = $2 order by living, "segmentId"`,
    [scope.workspaceId, scope.projectId],
  );
  return rows;
}

/** A file that a segment is made of. */
export interface FileToMerge {
  fileId: string;
  leaves: number;
  length: number;
  revision: number;
}

/**
 * Files in no segment, until they have so many leaves together.
 *
 * @param limits.mostOfFile a file of more leaves is left out: it has one row a term as it is
 */
export async function selectLooseFiles(
  db: Queryable,
  scope: Scope,
  { mostLeaves, mostOfFile }: { mostLeaves: number; mostOfFile: number },
): Promise<FileToMerge[]> {
  const { rows } = await db.query<FileToMerge>(
    `select "fileId", leaves, length, revision from (
       select file_id as "fileId", chunk_count as leaves, lexical_length::int as length, lexical_revision as revision,
         sum(chunk_count) over (order by seq) as running
       from files
       where workspace_id = $1 and project_id = $2 and segment_id is null and searchable_version is not null
         and chunk_count between 1 and $4) loose
     where running - leaves < $3 order by running`,
    [scope.workspaceId, scope.projectId, mostLeaves, mostOfFile],
  );
  return rows;
}

/** The files that still count of some segments. */
export async function selectFilesOfSegments(
  db: Queryable,
  scope: Scope,
  segmentIds: readonly string[],
): Promise<FileToMerge[]> {
  const { rows } = await db.query<FileToMerge>(
    `select file_id as "fileId", chunk_count as leaves, lexical_length::int as length, lexical_revision as revision
     from files where workspace_id = $1 and project_id = $2 and segment_id = any($3::uuid[])
     order by seq`,
    [scope.workspaceId, scope.projectId, segmentIds],
  );
  return rows;
}

/**
 * Makes one segment of some files, in the place of those that they were in. A file that is indexed again meanwhile stays outside: it
 * is not held, and nobody waits.
 *
 * @param tx holds the project's segments (`holdSegments`)
 * @param replaced segments that go; all of their files that count are among the files
 */
export async function mergeFiles(
  tx: Queryable,
  scope: Scope,
  files: readonly FileToMerge[],
  replaced: readonly string[],
): Promise<void> {
  const { workspaceId, projectId } = scope;
  const segmentId = randomUUID();
  const ids = files.map(({ fileId }) => fileId);
  const revisions = files.map(({ revision }) => revision);
  await tx.query('set local statement_timeout = 0');
  if (files.length > 0) {
    await tx.query(
      `insert into posting_segments (workspace_id, project_id, segment_id, leaves, file_ids, leaf_counts, lengths, revisions)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[workspaceId, projectId, segmentId, files.reduce((sum, { leaves }) => sum + leaves, 0), ids],
        ...[files.map(({ leaves }) => leaves), files.map(({ length }) => length), revisions],
      ],
    );
    await tx.query(
      `insert into segment_postings (workspace_id, project_id, term, segment_id, file_count, leaf_count, packed)
       select $1, $2, p.term, $3, count(*), sum(p.leaf_count),
         string_agg(int2send((place - 1)::int2) || int2send(p.leaf_count::int2) || p.packed, ''::bytea order by place)
       from unnest($4::text[]) with ordinality as taken (file_id, place)
         join leaf_postings p on p.workspace_id = $1 and p.project_id = $2 and p.file_id = taken.file_id
       group by p.term`,
      [workspaceId, projectId, segmentId, ids],
    );
    await tx.query(
      `update files f set segment_id = $3
       from unnest($4::text[], $5::int[]) as taken (file_id, revision)
       where f.workspace_id = $1 and f.project_id = $2 and f.file_id = taken.file_id and f.lexical_revision = taken.revision`,
      [workspaceId, projectId, segmentId, ids, revisions],
    );
  }
  await tx.query(
    `delete from posting_segments where workspace_id = $1 and project_id = $2 and segment_id = any($3::uuid[])`,
    [workspaceId, projectId, replaced],
  );
}
