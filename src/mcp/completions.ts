import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CompleteRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { artifactNameSchema } from '../contract/artifact.ts';
import { AppError } from '../errors.ts';
import { libraryScope } from '../scope.ts';
import { type McpConnection, projectsOf, scopeOfProject } from './connection.ts';
import { protocolError } from './resources.ts';

/** Values of a completion, at most; the protocol's own limit. */
const MOST_VALUES = 100;

/** @param project in which files are looked for; undefined: in the library */
async function valuesOf(
  argument: string,
  project: string | undefined,
  connection: McpConnection,
): Promise<string[]> {
  if (argument === 'project') return (await projectsOf(connection)).map(({ id }) => id);
  if (argument === 'artifact') return [...artifactNameSchema.options];
  if (argument !== 'name') return [];
  const { principal } = connection;
  const scope =
    project === undefined ? libraryScope(principal.workspaceId) : scopeOfProject(principal, project);
  const { data } = await connection.services.files.list(scope, { limit: MOST_VALUES, order: 'desc' });
  return data.map(({ name }) => name);
}

/** Completes the ids and names that templates and prompts ask for. */
export function serveCompletions(server: Server, connection: McpConnection): void {
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { argument, context } }) => {
    try {
      const known = await valuesOf(argument.name, context?.arguments?.project, connection);
      const begun = argument.value.toLowerCase();
      const values = known.filter((value) => value.toLowerCase().startsWith(begun)).slice(0, MOST_VALUES);
      return { completion: { values, total: values.length, hasMore: false } };
    } catch (error) {
      // a project that is not there has nothing to complete with
      if (error instanceof AppError) return { completion: { values: [] } };
      throw protocolError(error, connection);
    }
  });
}
