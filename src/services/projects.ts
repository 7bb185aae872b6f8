import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';
import {
  countProjectRows,
  deleteProjectRow,
  findProject,
  insertProject,
  type ProjectLock,
  type ProjectRecord,
  type RemovedCounts,
  saveState,
  selectProjects,
  updateProjectName,
} from '../db/projects.ts';
import { AppError, projectNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { patchState } from '../state/patch.ts';
import { emptyState } from '../state/schema.ts';
import { storableText } from '../text/storable.ts';
import { type Page, type PageRequest, readPage } from './page.ts';

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

/** The use cases of projects and their state. */
export function createProjectService({ db }: { db: Database }) {
  return {
    /**
     * Creates a project. Without an id, it is made from the name; a taken one gets a suffix.
     *
     * @throws AppError `project_exists` when the id that was asked for is taken
     */
    async create(
      workspaceId: string,
      input: { id?: string | undefined; name: string },
    ): Promise<ProjectRecord> {
      const name = storableText(input.name);
      const stem = input.id ?? slugOf(name) ?? 'project';
      let projectId = input.id ?? slugOf(name) ?? `project-${randomBytes(4).toString('hex')}`;
      for (;;) {
        const scope = { workspaceId, projectId };
        if (await insertProject(db, scope, { name, state: emptyState() })) return requireProject(db, scope);
        if (input.id !== undefined) {
          throw new AppError('project_exists', {
            detail: `There is a project "${projectId}" already. Choose another id, or leave it out to have one made.`,
          });
        }
        projectId = `${stem}-${randomBytes(3).toString('hex')}`;
      }
    },

    list(workspaceId: string, page: PageRequest): Promise<Page<ProjectRecord>> {
      return readPage(
        page,
        (bounds) => selectProjects(db, workspaceId, bounds),
        (project) => project.seq,
      );
    },

    get: (scope: Scope): Promise<ProjectRecord> => requireProject(db, scope),

    async rename(scope: Scope, name: string): Promise<ProjectRecord> {
      if (!(await updateProjectName(db, scope, storableText(name)))) throw projectNotFound(scope.projectId);
      return requireProject(db, scope);
    },

    /** Removes the project and everything that came from it, and counts what that was. */
    remove(scope: Scope): Promise<RemovedCounts> {
      return db.transaction(async (tx) => {
        await requireProject(tx, scope, { lock: 'remove' });
        const counts = await countProjectRows(tx, scope);
        await deleteProjectRow(tx, scope);
        return counts;
      });
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
    ): Promise<ProjectRecord> {
      return db.transaction(async (tx) => {
        const project = await requireProject(tx, scope, { lock: 'change' });
        if (!isCurrent(project.stateVersion)) {
          throw new AppError('precondition_failed', {
            detail:
              'The state has changed since it was read. Read it again and repeat the change on what it says now.',
          });
        }
        const state = patchState(project.state, patch);
        const stateVersion = await saveState(tx, scope, state);
        return { ...project, state, stateVersion };
      });
    },
  };
}

export type ProjectService = ReturnType<typeof createProjectService>;
