import { forWorkspace } from '../db/bound-database.ts';
import type { Database } from '../db/database.ts';
import { type Stamped, selectListStamp, selectStamps } from '../db/resource-stamps.ts';
import { libraryScope } from '../scope.ts';

/** Whether what can be read has changed, for those who keep a copy of it: cheap to ask again and again. */
export function createResourceStamps({ db }: { db: Database }) {
  return {
    /** A text for each of these that changes with it; null where it is not there. */
    stamps: (workspaceId: string, wanted: readonly Stamped[]) =>
      selectStamps(forWorkspace(db, workspaceId), workspaceId, wanted),

    /**
     * A text that changes when one comes or goes.
     *
     * @param project whose files are meant, besides the library's; null: all projects'
     */
    listStamp: (workspaceId: string, project: string | null) =>
      selectListStamp(
        forWorkspace(db, workspaceId),
        workspaceId,
        project === null ? null : [project, libraryScope(workspaceId).projectId],
      ),
  };
}

export type ResourceStamps = ReturnType<typeof createResourceStamps>;
