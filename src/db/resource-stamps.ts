import type { Queryable } from './database.ts';
import { perProject } from './distribution/per-project.ts';

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
  const stamps = await perProject(
    db,
    wanted,
    (each) => each,
    async (some, placeOf) => {
      const { rows } = await db.query<{ stamp: string | null; place: number }>(
        `select w.place::int - 1 as place, case when w.file is null then p.state_version::text
          else concat_ws(':', f.file_id, f.version, f.status, f.searchable_version) end as stamp
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (workspace_id, project_id, file, place)
         left join projects p on p.workspace_id = w.workspace_id and p.project_id = w.project_id and w.file is null
           and p.project_id = any ($2::text[])
         left join files f on f.workspace_id = w.workspace_id and f.project_id = w.project_id and f.name = w.file
           and f.project_id = any ($2::text[])`,
        [
          some.map(({ workspaceId }) => workspaceId),
          some.map(({ projectId }) => projectId),
          some.map(({ file }) => file),
        ],
      );
      return rows.map(({ place, stamp }) => [placeOf(place), stamp || null] as const);
    },
  );
  const byPlace = new Map(stamps);
  return wanted.map((_, place) => byPlace.get(place) ?? null);
}

/** A text for each that changes when a project or a readable file comes or goes. */
export async function selectListStamps(db: Queryable, wanted: readonly StampedList[]): Promise<string[]> {
  const params = [
    wanted.map(({ workspaceId }) => workspaceId),
    wanted.map(({ projectId }) => projectId),
    wanted.map(({ libraryId }) => libraryId),
  ];
  const stampsOf = async (table: string, columns: string): Promise<Map<number, string>> => {
    const { rows } = await db.query<{ place: number; stamp: string }>(
      `select w.place::int - 1 as place, concat_ws(':', ${columns}) as stamp
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (workspace_id, project_id, library_id, place)
         join ${table} o on o.workspace_id = w.workspace_id
           and (w.project_id is null or o.project_id in (w.project_id, w.library_id))
       group by w.place`,
      params,
    );
    return new Map(rows.map(({ place, stamp }) => [place, stamp]));
  };
  const [projects, files] = await Promise.all([
    stampsOf('projects', 'count(*), max(o.seq)'),
    stampsOf(
      'files',
      'count(o.searchable_version), max(o.seq) filter (where o.searchable_version is not null)',
    ),
  ]);
  return wanted.map((_, place) => `${projects.get(place) ?? '0'};${files.get(place) ?? '0'}`);
}
