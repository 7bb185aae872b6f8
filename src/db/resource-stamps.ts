import type { Queryable } from './database.ts';

/** A file or, where no file is named, a project's state. */
export interface Stamped {
  workspaceId: string;
  projectId: string;
  /** Null: the state of the project. */
  file: string | null;
}

/** The projects and files of a workspace, or of one project and the library. */
export interface StampedList {
  workspaceId: string;
  /** Null: of all projects. */
  projectId: string | null;
  libraryId: string;
}

/**
 * A text for each that changes with it: with a file's version and status, and with a project's state; null where there is no
 * such file or project.
 */
export async function selectStamps(db: Queryable, wanted: readonly Stamped[]): Promise<(string | null)[]> {
  const { rows } = await db.query<{ stamp: string | null }>(
    `select case when w.file is null then p.state_version::text
        else concat_ws(':', f.file_id, f.version, f.status, f.searchable_version) end as stamp
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (workspace_id, project_id, file, place)
       left join projects p on p.workspace_id = w.workspace_id and p.project_id = w.project_id and w.file is null
       left join files f on f.workspace_id = w.workspace_id and f.project_id = w.project_id and f.name = w.file
     order by w.place`,
    [
      wanted.map(({ workspaceId }) => workspaceId),
      wanted.map(({ projectId }) => projectId),
      wanted.map(({ file }) => file),
    ],
  );
  return rows.map(({ stamp }) => stamp || null);
}

/** A text for each that changes when a project or a readable file comes or goes. */
export async function selectListStamps(db: Queryable, wanted: readonly StampedList[]): Promise<string[]> {
  const { rows } = await db.query<{ stamp: string }>(
    `select concat_ws(':', p.count, p.last, f.count, f.last) as stamp
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (workspace_id, project_id, library_id, place),
       lateral (select count(*) as count, max(seq) as last from projects o
         where o.workspace_id = w.workspace_id
           and (w.project_id is null or o.project_id in (w.project_id, w.library_id))) p,
       lateral (select count(searchable_version) as count,
           max(seq) filter (where searchable_version is not null) as last from files o
         where o.workspace_id = w.workspace_id
           and (w.project_id is null or o.project_id in (w.project_id, w.library_id))) f
     order by w.place`,
    [
      wanted.map(({ workspaceId }) => workspaceId),
      wanted.map(({ projectId }) => projectId),
      wanted.map(({ libraryId }) => libraryId),
    ],
  );
  return rows.map(({ stamp }) => stamp);
}
