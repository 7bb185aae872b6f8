import { emptyState, type ProjectState } from '../../../src/contract/state.ts';
import type { Queryable } from '../../../src/db/database.ts';
import { DEFAULT_WORKSPACE, type Scope } from '../../../src/scope.ts';
import { insertRow } from './insert-row.ts';

/** A project of the default workspace, named like its id; its state is empty unless told otherwise. */
export async function storeProject(
  db: Queryable,
  projectId: string,
  project: { name?: string; state?: ProjectState } = {},
): Promise<Scope> {
  const scope = { workspaceId: DEFAULT_WORKSPACE, projectId };
  const { name = projectId, state = emptyState() } = project;
  await insertRow(db, 'projects', { ...scope, name, state: JSON.stringify(state) });
  return scope;
}
