import type { List } from '../contract/list.ts';
import { type Quotas, quotasSchema } from '../contract/quota.ts';
import type { Workspace, WorkspaceDeletion } from '../contract/workspace.ts';
import type { Database } from '../db/database.ts';
import {
  deleteWorkspaceRow,
  findWorkspace,
  holdWorkspaceForRemoval,
  insertWorkspace,
  selectWorkspaces,
  updateWorkspace,
  type WorkspaceRow,
} from '../db/workspaces.ts';
import { AppError, workspaceNotFound } from '../errors.ts';
import { DEFAULT_WORKSPACE } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import type { Witness } from './audit.ts';
import type { Authentication } from './keys/authentication.ts';
import type { QuotaService } from './limits/quotas.ts';
import type { SpendingGuard } from './limits/spending.ts';
import { type PageRequest, readPage } from './page.ts';

export interface WorkspaceDeps {
  db: Database;
  authentication: Authentication;
  quotas: QuotaService;
  spending: SpendingGuard;
  /** Told that jobs were removed, those that run included. */
  onJobsRemoved: () => void;
}

/** Quotas of a workspace's own; `default`: none of its own. */
export type QuotaChanges = { [Name in keyof Quotas]?: Quotas[Name] | 'default' | undefined };

const pathOf = (id: string): string => `/workspaces/${id}`;

/** The use cases of workspaces. */
export function createWorkspaceService({
  db,
  authentication,
  quotas,
  spending,
  onJobsRemoved,
}: WorkspaceDeps) {
  const shown = ({ workspace_id, name, created_at, quotas: own }: WorkspaceRow): Workspace => ({
    object: 'workspace',
    id: workspace_id,
    name,
    created_at: created_at.toISOString(),
    // one that a newer release has set is not known here
    quotas: quotasSchema.parse({ ...quotas.defaults, ...own }),
  });

  return {
    /** @throws AppError `workspace_exists` */
    async create({ id, name }: { id: string; name: string }, witness: Witness): Promise<Workspace> {
      return db.transaction(async (tx) => {
        const row = await insertWorkspace(tx, id, storableText(name));
        if (!row) {
          const detail = `There is a workspace "${id}" already. Choose another id.`;
          throw new AppError('workspace_exists', { detail });
        }
        await witness(tx, { workspaceId: id, resource: pathOf(id) });
        return shown(row);
      });
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
      return { ...shown(row), usage: await quotas.usage(id) };
    },

    /**
     * Renames a workspace, or sets what it may hold and spend. What it has already stays, beyond its quotas too.
     *
     * @throws AppError `workspace_not_found`
     */
    async change(
      id: string,
      { name, quotas: asked = {} }: { name?: string | undefined; quotas?: QuotaChanges | undefined },
      witness: Witness,
    ): Promise<Workspace> {
      const given = Object.entries(asked).filter(([, value]) => value !== undefined);
      const row = await db.transaction(async (tx) => {
        const changed = await updateWorkspace(tx, id, {
          name: name === undefined ? null : storableText(name),
          quotas: Object.fromEntries(given.filter(([, value]) => value !== 'default')),
          unset: given.flatMap(([quota, value]) => (value === 'default' ? [quota] : [])),
        });
        if (!changed) throw workspaceNotFound(id);
        await witness(tx, { workspaceId: id, resource: pathOf(id) });
        return changed;
      });
      spending.forget(id);
      return { ...shown(row), usage: await quotas.usage(id) };
    },

    /**
     * Removes a workspace with everything that is in it; what runs for it finds nothing any more, and ends.
     *
     * @throws AppError `workspace_not_found`, `workspace_not_deletable`
     */
    async remove(id: string, witness: Witness): Promise<WorkspaceDeletion> {
      if (id === DEFAULT_WORKSPACE) {
        const detail = 'Whoever needs no key works in the default workspace. Delete its projects instead.';
        throw new AppError('workspace_not_deletable', { detail });
      }
      const removed = await db.transaction(async (tx) => {
        const counted = await holdWorkspaceForRemoval(tx, id);
        if (!counted) throw workspaceNotFound(id);
        await deleteWorkspaceRow(tx, id);
        await witness(tx, { workspaceId: id, resource: pathOf(id) });
        return counted;
      });
      authentication.forget();
      onJobsRemoved();
      return { object: 'deletion', id, deleted: true, removed };
    },
  };
}

export type WorkspaceService = ReturnType<typeof createWorkspaceService>;
