import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as McpTool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { type ToolResult, toolResultSchema } from '../contract/tool.ts';
import { AppError, invalidFields } from '../errors.ts';
import { libraryScope, type Scope } from '../scope.ts';
import type { HandCall } from '../services/tools/by-hand.ts';
import { TOOL_ANNOTATIONS, type Tool } from '../services/tools/tool.ts';
import { type McpConnection, projectsOf, scopeOfProject } from './connection.ts';
import { LIST_PROJECTS, listProjects } from './list-projects.ts';
import { progressOf } from './progress.ts';

const PROJECT = {
  type: 'string',
  description: 'The id of the project, as list_projects gives it.',
} as const;

const TITLE = /(^|_)([a-z])/g;
const titleOf = (name: string): string =>
  name.replace(TITLE, (_, gap: string, letter: string) => (gap === '' ? letter.toUpperCase() : ` ${letter}`));

/** What every tool gives as values. */
const outputSchema = z.object({
  notes: z.string().describe('What there is to say apart from passages, a line each.'),
  passages: toolResultSchema.shape.passages,
});

/** Answers stay open: what a tool will give besides is no breach of its schema. */
function jsonSchema(schema: z.ZodType): McpTool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return { ...rest, type: 'object' } as McpTool['inputSchema'];
}

const asksProject = (tool: Tool, { project }: McpConnection): boolean =>
  project === null && tool.kind !== 'library';

/** A tool as it is listed: its own input, and the project where neither it nor the connection says whose. */
function listing(tool: Tool, connection: McpConnection): McpTool {
  const own = jsonSchema(tool.input);
  const inputSchema = asksProject(tool, connection)
    ? {
        ...own,
        properties: { project: PROJECT, ...own.properties },
        required: ['project', ...(own.required ?? [])],
      }
    : own;
  return {
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema,
    outputSchema: jsonSchema(outputSchema.extend(tool.values?.partial().shape ?? {})),
    annotations: TOOL_ANNOTATIONS,
  };
}

/**
 * Whose documents a call is about, and the tool's own input.
 *
 * @throws AppError `invalid_request`, `project_not_found`
 */
function addressed(
  tool: Tool,
  given: Record<string, unknown>,
  connection: McpConnection,
): { scope: Scope; input: Record<string, unknown> } {
  const { principal, project: bound } = connection;
  if (bound !== null) return { scope: scopeOfProject(principal, bound), input: given };
  if (!asksProject(tool, connection)) return { scope: libraryScope(principal.workspaceId), input: given };
  const { project, ...input } = given;
  if (typeof project === 'string') return { scope: scopeOfProject(principal, project), input };
  const detail = `is the id of a project, a text; ${LIST_PROJECTS} lists those there are`;
  throw invalidFields(`The input of ${tool.name}`, [{ pointer: '/project', detail, code: 'invalid_type' }]);
}

const refused = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** What to say where a call cannot be done: a project that is not there is told with those that are. */
async function refusal(error: AppError, connection: McpConnection): Promise<CallToolResult> {
  if (error.code !== 'project_not_found') return refused(`Not done. ${error.detail}`);
  const ids = (await projectsOf(connection).catch(() => [])).map(({ id }) => id);
  const known =
    ids.length === 0 ? 'There are none yet: POST /projects makes one.' : `There are: ${ids.join(', ')}.`;
  return refused(`Not done. ${error.detail.split('. ')[0]}. ${known}`);
}

/** Where the passages of a text are from, each under its number. */
function sources(passages: ToolResult['passages']): string {
  if (passages.length === 0) return '';
  const lines = passages.map(({ marker, filename, header_path, page }) => {
    const place = [filename, ...header_path].join(' > ');
    return `[${marker}] ${place}${page === null ? '' : `, page ${page}`}`;
  });
  return `\nSources:\n${lines.join('\n')}`;
}

async function call(
  tool: Tool,
  given: Record<string, unknown>,
  how: HandCall,
  connection: McpConnection,
): Promise<CallToolResult> {
  const { scope, input } = addressed(tool, given, connection);
  const result = await connection.services.tools.call(scope, tool.name, input, how);
  if (result.is_error) return refused(result.content);
  return {
    content: [{ type: 'text', text: `${result.content}${sources(result.passages)}` }],
    structuredContent: { notes: result.lines, passages: result.passages, ...result.structured },
  };
}

/** The read-only tools. What a tool cannot do is a result that says so; a tool that there is not is an error. */
export function serveTools(server: Server, connection: McpConnection): void {
  const { services, log, project } = connection;

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      ...(project === null ? [listProjects.listing] : []),
      ...[...services.tools.byName.values()].map((tool) => listing(tool, connection)),
    ],
  }));

  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: given = {} } = params;
    const tool = services.tools.byName.get(name);
    try {
      if (name === LIST_PROJECTS && project === null) return await listProjects.call(given, connection);
      if (!tool)
        throw new McpError(ErrorCode.InvalidParams, `There is no tool "${name}". tools/list lists them all.`);
      return await call(tool, given, { signal: extra.signal, onProgress: progressOf(extra) }, connection);
    } catch (error) {
      if (error instanceof McpError || extra.signal.aborted) throw error;
      if (error instanceof AppError) return refusal(error, connection);
      log.error({ err: error, tool: name }, 'a tool failed');
      return refused('Not done. Something went wrong on our side. Try again later.');
    }
  });
}
