import type { File } from '../contract/file.ts';
import type { Scope } from '../scope.ts';
import type { Queryable } from './database.ts';
import { perProject } from './distribution/per-project.ts';
import { FILE_COLUMNS, type FileRow, toStoredFile } from './files.ts';

/** What is watched, by its place in the list, and has another stamp than the one that was known. */
interface Changed<V> {
  place: number;
  /** Changes whenever the value does, and is never empty. */
  stamp: string;
  value: V;
}

/** A file, which keeps its id when it is renamed, and the stamp that is known of it; empty: none is. */
export interface KnownFile {
  key: { scope: Scope; fileId: string };
  stamp: string;
}

// the text of a point in time is exact, a JavaScript date only to the millisecond
const STAMP = `case when f.file_id is null then 'none'
  else concat_ws(':', f.file_id, f.version, f.run, f.status, extract(epoch from f.updated_at)::text) end`;

// the projects are named once more: so it is known where they are
const CHANGED_FILES = `select w.place::int - 1 as place, ${STAMP} as stamp, ${FILE_COLUMNS}
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality
      as w (workspace_id, project_id, file_id, stamp, place)
    left join files f on f.workspace_id = w.workspace_id and f.project_id = w.project_id and f.file_id = w.file_id
      and f.project_id = any ($2::text[])
    left join file_versions v on v.workspace_id = f.workspace_id and v.project_id = f.project_id
      and v.file_id = f.file_id and v.version = f.version and v.project_id = any ($2::text[])
  where ${STAMP} <> w.stamp`;

/** Those of any number of files of any projects that are not as they were known: null where there is none any more. */
export async function selectChangedFiles(
  db: Queryable,
  known: readonly KnownFile[],
): Promise<Changed<File | null>[]> {
  type Row = FileRow & { place: number; stamp: string };
  type None = Record<keyof FileRow, null> & { place: number; stamp: string };
  return perProject(
    db,
    known,
    ({ key }) => key.scope,
    async (some, placeOf) => {
      const { rows } = await db.query<Row | None>(CHANGED_FILES, [
        some.map(({ key }) => key.scope.workspaceId),
        some.map(({ key }) => key.scope.projectId),
        some.map(({ key }) => key.fileId),
        some.map(({ stamp }) => stamp),
      ]);
      return rows.map(({ place, stamp, ...row }) => ({
        place: placeOf(place),
        stamp,
        value: row.file_id === null ? null : toStoredFile(row).file,
      }));
    },
  );
}

/** A project, and the stamp that is known of its unsettled files. */
export interface KnownProject {
  key: Scope;
  stamp: string;
}

/** How many files of each of these projects are being ingested, or wait to be, where that is not as it was known. */
export async function selectChangedUnsettled(
  db: Queryable,
  known: readonly KnownProject[],
): Promise<Changed<number>[]> {
  return perProject(
    db,
    known,
    ({ key }) => key,
    async (some, placeOf) => {
      const { rows } = await db.query<{ place: number; count: number }>(
        `select w.place::int - 1 as place, f.count
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (workspace_id, project_id, stamp, place),
         lateral (select count(*)::int as count from files f
           where f.workspace_id = w.workspace_id and f.project_id = w.project_id and f.project_id = any ($2::text[])
             and f.status in ('queued', 'in_progress')) f
       where f.count::text <> w.stamp`,
        [
          some.map(({ key }) => key.workspaceId),
          some.map(({ key }) => key.projectId),
          some.map(({ stamp }) => stamp),
        ],
      );
      return rows.map(({ place, count }) => ({ place: placeOf(place), stamp: String(count), value: count }));
    },
  );
}
