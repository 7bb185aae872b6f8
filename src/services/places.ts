import { emptyState } from '../contract/state.ts';
import type { Queryable } from '../db/database.ts';
import { holdProject, insertProject } from '../db/projects.ts';
import { type Scope, sourceOf } from '../scope.ts';
import { requireProject } from './projects.ts';

/*
 * Where files are kept: a project, or the library. The library is a row of its own kind among the projects, so that all
 * that is done with files is done by the same code; it is always there for its readers, and made when something is put
 * into it first.
 */

/**
 * Refuses a project that is not there. The library always is: one that nothing was put into is empty.
 *
 * @throws AppError `project_not_found`
 */
export async function requirePlace(db: Queryable, scope: Scope): Promise<void> {
  if (sourceOf(scope) === 'project') await requireProject(db, scope);
}

/**
 * Keeps the place from being deleted until the transaction ends; the library is made where there is none. Two that make it
 * at the same moment get the same one: the second waits for the first.
 *
 * @throws AppError `project_not_found`
 */
export async function holdPlace(tx: Queryable, scope: Scope): Promise<void> {
  if (await holdProject(tx, scope)) return;
  await requirePlace(tx, scope);
  if (sourceOf(scope) === 'library') {
    await insertProject(tx, scope, { kind: 'library', name: 'Library', state: emptyState() });
  }
  await holdProject(tx, scope);
}
