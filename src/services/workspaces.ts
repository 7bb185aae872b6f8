import type { List } from '../contract/list.ts';
import type { Workspace, WorkspaceDeletion } from '../contract/workspace.ts';
import type { Database } from '../db/database.ts';
import {
  deleteWorkspaceRow,
  findWorkspace,
  holdWorkspaceForRemoval,
  insertWorkspace,
  selectWorkspaces,
  type WorkspaceRow,
} from '../db/workspaces.ts';
import { AppError, workspaceNotFound } from '../errors.ts';
import { DEFAULT_WORKSPACE } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import type { Authentication } from './keys/authentication.ts';
import { type PageRequest, readPage } from './page.ts';

export interface WorkspaceDeps {
  db: Database;
  authentication: Authentication;
  /** Told that jobs were removed, those that run included. */
  onJobsRemoved: () => void;
}

const shown = ({ workspace_id, name, created_at }: WorkspaceRow): Workspace => ({
  object: 'workspace',
  id: workspace_id,
  name,
  created_at: created_at.toISOString(),
});

/** The use cases of workspaces. */
export function createWorkspaceService({ db, authentication, onJobsRemoved }: WorkspaceDeps) {
  return {
    /** @throws AppError `workspace_exists` */
    async create({ id, name }: { id: string; name: string }): Promise<Workspace> {
      const row = await insertWorkspace(db, id, storableText(name));
      if (row) return shown(row);
      const detail = `There is a workspace "${id}" already. Choose another id.`;
      throw new AppError('workspace_exists', { detail });
    },

    /** @throws AppError `invalid_cursor` */
    async list(page: PageRequest): Promise<List<Workspace>> {
      const found = await readPage(
        // a list of the service, which is in no workspace
        { of: 'workspaces', scope: { workspaceId: DEFAULT_WORKSPACE } },
        page,
        (bounds) => selectWorkspaces(db, bounds),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(shown) };
    },

    /** @throws AppError `workspace_not_found` */
    async get(id: string): Promise<Workspace> {
      const row = await findWorkspace(db, id);
      if (!row) throw workspaceNotFound(id);
      return shown(row);
    },

    /**
     * Removes a workspace with everything that is in it; what runs for it finds nothing any more, and ends.
     *
     * @throws AppError `workspace_not_found`, `workspace_not_deletable`
     */
    async remove(id: string): Promise<WorkspaceDeletion> {
      if (id === DEFAULT_WORKSPACE) {
        const detail = 'Whoever needs no key works in the default workspace. Delete its projects instead.';
        throw new AppError('workspace_not_deletable', { detail });
      }
      const removed = await db.transaction(async (tx) => {
        const counted = await holdWorkspaceForRemoval(tx, id);
        if (!counted) throw workspaceNotFound(id);
        await deleteWorkspaceRow(tx, id);
        return counted;
      });
      authentication.forget();
      onJobsRemoved();
      return { object: 'deletion', id, deleted: true, removed };
    },
  };
}

export type WorkspaceService = ReturnType<typeof createWorkspaceService>;
