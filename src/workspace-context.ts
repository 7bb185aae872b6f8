import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * For which workspace this process is working at the moment. Storage tells it to a database that keeps workspaces apart by
 * itself (row-level security), so that a statement which forgets to ask for its workspace finds nothing of the others.
 *
 * It is entered where work begins: a request by its principal, a job by its scope, what the service does for all of them as the system.
 * What was begun inside goes on in it. What several workspaces share, a timer above all, was begun by any of them: it asks a
 * database that is bound to the system or to a workspace (db/bound-database.ts).
 */
const context = new AsyncLocalStorage<string>();

/** In the place of a workspace: all of them. No workspace can have it as its id. */
const ALL_WORKSPACES = '*';

/** Does work for one workspace. */
export const inWorkspace = <T>(workspaceId: string, work: () => T): T => context.run(workspaceId, work);

/** Does the service's own work, which is for no workspace in particular. */
export const asSystem = <T>(work: () => T): T => context.run(ALL_WORKSPACES, work);

/** The workspace that is worked for, `*` for all of them, or undefined where nobody has said so. */
export const currentWorkspace = (): string | undefined => context.getStore();
