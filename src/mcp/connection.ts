import { projectIdSchema } from '../contract/project.ts';
import { projectNotFound } from '../errors.ts';
import type { Principal, Scope } from '../scope.ts';
import type { Services } from '../services/services.ts';

/** The part of a logger that is written to here. */
export interface McpLog {
  debug(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What the server of one connection works with. */
export interface McpConnection {
  services: Services;
  version: string;
  log: McpLog;
  /** Who has connected. */
  principal: Principal;
  /** The project that the connection is bound to; null: each call names one. */
  project: string | null;
}

/**
 * The scope of a project of the client's workspace, by an id that it sent.
 *
 * @throws AppError `project_not_found` for an id that no project can have
 */
export function scopeOfProject({ workspaceId }: Principal, id: string): Scope {
  const projectId = projectIdSchema.safeParse(id).data;
  if (projectId === undefined) throw projectNotFound(id);
  return { workspaceId, projectId };
}

/** Projects that a client is told of at once: one of so many is looked for by its name. */
const MOST_PROJECTS = 100;

/** The projects that a client of this connection works with. */
export async function projectsOf({
  services,
  principal,
  project,
}: McpConnection): Promise<{ id: string; name: string }[]> {
  if (project !== null) return [await services.projects.get(scopeOfProject(principal, project))];
  const page = { limit: MOST_PROJECTS, order: 'desc' as const };
  return (await services.projects.list(principal.workspaceId, page)).data;
}
