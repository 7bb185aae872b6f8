import { randomBytes } from 'node:crypto';
import type { List } from '../contract/list.ts';
import type { Project, ProjectDeletion } from '../contract/project.ts';
import { emptyState, type ProjectState } from '../contract/state.ts';
import type { Database, Queryable } from '../db/database.ts';
import {
  countProjectRows,
  deleteProjectRow,
  findProject,
  insertProject,
  type ProjectChange,
  type ProjectLock,
  type ProjectRecord,
  saveState,
  selectProjects,
  updateProject,
} from '../db/projects.ts';
import { AppError, projectNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { patchState } from '../state/patch.ts';
import { soughtText, storableText } from '../text/storable.ts';
import { assertWritable, type ContextTerms } from './contexts/switch.ts';
import type { QuotaService } from './limits/quotas.ts';
import { type PageRequest, readPage } from './page.ts';

const SLUG_LENGTH = 64;

/** A slug from a name: `Campaign ROI: Analysis` becomes `campaign-roi-analysis`; null when nothing is left of it. */
function slugOf(name: string): string | null {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH - 8) // leaves room for a suffix
    .replace(/^-|-$/g, '');
  return slug === '' ? null : slug;
}

/**
 * The project, or a failure that says there is none.
 *
 * @throws AppError `project_not_found`
 */
export async function requireProject(
  db: Queryable,
  scope: Scope,
  options: { lock?: ProjectLock } = {},
): Promise<ProjectRecord> {
  const project = await findProject(db, scope, options);
  if (!project) throw projectNotFound(scope.projectId);
  return project;
}

const shown = ({ projectId, name, state, contextual, createdAt, updatedAt }: ProjectRecord): Project => ({
  object: 'project',
  id: projectId,
  name,
  turn_count: state.turn_count,
  active_mode: state.routing.active_mode,
  contextual,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});

/** A project's state; the version changes with it. */
interface VersionedState {
  state: ProjectState;
  version: number;
}

export interface ProjectServiceDeps {
  db: Database;
  quotas: QuotaService;
  contextTerms: ContextTerms;
}

/** The use cases of projects and their state. */
export function createProjectService({ db, quotas, contextTerms }: ProjectServiceDeps) {
  /** @throws AppError `project_not_found` */
  const get = async (scope: Scope): Promise<Project> => shown(await requireProject(db, scope));

  /** False when there is a project of the id. */
  const insert = (scope: Scope, name: string): Promise<boolean> =>
    db.transaction(async (tx) => {
      const room = await quotas.room(tx, scope.workspaceId);
      const isNew = await insertProject(tx, scope, { kind: 'project', name, state: emptyState() });
      if (isNew) await room.assertKept('projects');
      return isNew;
    });

  return {
    /**
     * Creates a project. Without an id, it is made from the name; a taken one gets a suffix.
     *
     * @throws AppError `project_exists` when the id that was asked for is taken, `quota_exceeded`
     */
    async create(workspaceId: string, input: { id?: string | undefined; name: string }): Promise<Project> {
      const name = storableText(input.name);
      const stem = input.id ?? slugOf(name) ?? 'project';
      let projectId = input.id ?? slugOf(name) ?? `project-${randomBytes(4).toString('hex')}`;
      for (;;) {
        const scope = { workspaceId, projectId };
        if (await insert(scope, name)) return get(scope);
        if (input.id !== undefined) {
          throw new AppError('project_exists', {
            detail: `There is a project "${projectId}" already. Choose another id, or leave it out to have one made.`,
          });
        }
        projectId = `${stem}-${randomBytes(3).toString('hex')}`;
      }
    },

    /**
     * @param name what their names hold, in whatever case; null: all of them
     * @throws AppError `invalid_cursor`
     */
    async list(workspaceId: string, page: PageRequest, name: string | null = null): Promise<List<Project>> {
      const filter = name === null ? null : soughtText(name);
      const found = await readPage(
        { of: 'projects', scope: { workspaceId }, ...(filter !== null && { within: filter }) },
        page,
        (bounds) => selectProjects(db, workspaceId, bounds, filter),
        (project) => project.seq,
      );
      return { ...found, data: found.data.map(shown) };
    },

    get,

    /**
     * Changes its name, and whether contexts are written for files that come: those that are there stay as they are.
     *
     * @throws AppError `project_not_found`, `contexts_unavailable`
     */
    async change(scope: Scope, { name, contextual }: ProjectChange): Promise<Project> {
      assertWritable(contextTerms, contextual ?? null);
      const change = {
        ...(name !== undefined && { name: storableText(name) }),
        ...(contextual !== undefined && { contextual }),
      };
      if (!(await updateProject(db, scope, change))) throw projectNotFound(scope.projectId);
      return get(scope);
    },

    /** Removes the project and everything that came from it, and counts what that was. */
    remove(scope: Scope): Promise<ProjectDeletion> {
      return db.transaction(async (tx) => {
        await requireProject(tx, scope, { lock: 'remove' });
        const removed = await countProjectRows(tx, scope);
        await deleteProjectRow(tx, scope);
        return { object: 'deletion', id: scope.projectId, deleted: true, removed };
      });
    },

    /** @throws AppError `project_not_found` */
    async state(scope: Scope): Promise<VersionedState> {
      const { state, stateVersion } = await requireProject(db, scope);
      return { state, version: stateVersion };
    },

    /**
     * Changes the state by a JSON Merge Patch.
     *
     * @param isCurrent told the version in force; false refuses the change
     * @throws AppError `precondition_failed`, or what makes the patch invalid
     */
    changeState(
      scope: Scope,
      patch: unknown,
      isCurrent: (stateVersion: number) => boolean,
    ): Promise<VersionedState> {
      return db.transaction(async (tx) => {
        const project = await requireProject(tx, scope, { lock: 'change' });
        if (!isCurrent(project.stateVersion)) {
          throw new AppError('precondition_failed', {
            detail:
              'The state has changed since it was read. Read it again and repeat the change on what it says now.',
          });
        }
        const state = patchState(project.state, patch);
        return { state, version: await saveState(tx, scope, state) };
      });
    },
  };
}

export type ProjectService = ReturnType<typeof createProjectService>;
