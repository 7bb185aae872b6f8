import type { Queryable } from './database.ts';

/** A file or, where no file is named, a project's state. */
export interface Stamped {
  projectId: string;
  /** Null: the state of the project. */
  file: string | null;
}

/**
 * A text for each that changes with it: with a file's version and status, and with a project's state; null where there is no
 * such file or project.
 */
export async function selectStamps(
  db: Queryable,
  workspaceId: string,
  wanted: readonly Stamped[],
): Promise<(string | null)[]> {
  const { rows } = await db.query<{ stamp: string | null }>(
    `select case when w.file is null then p.state_version::text
        else concat_ws(':', f.file_id, f.version, f.status, f.searchable_version) end as stamp
     from unnest($2::text[], $3::text[]) with ordinality as w (project_id, file, place)
       left join projects p on p.workspace_id = $1 and p.project_id = w.project_id and w.file is null
       left join files f on f.workspace_id = $1 and f.project_id = w.project_id and f.name = w.file
     order by w.place`,
    [workspaceId, wanted.map(({ projectId }) => projectId), wanted.map(({ file }) => file)],
  );
  return rows.map(({ stamp }) => stamp || null);
}

/** A text that changes when a project or a readable file comes or goes, in the workspace or in one project and the library. */
export async function selectListStamp(
  db: Queryable,
  workspaceId: string,
  projectIds: readonly string[] | null,
): Promise<string> {
  const { rows } = await db.query<{ stamp: string }>(
    `select concat_ws(':', p.count, p.last, f.count, f.last) as stamp
     from (select count(*) as count, max(seq) as last from projects
           where workspace_id = $1 and ($2::text[] is null or project_id = any($2))) p,
          (select count(searchable_version) as count, max(seq) filter (where searchable_version is not null) as last from files
           where workspace_id = $1 and ($2::text[] is null or project_id = any($2))) f`,
    [workspaceId, projectIds],
  );
  return rows[0]?.stamp ?? '';
}
