import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js';
import { invalidFields } from '../errors.ts';
import { TOOL_ANNOTATIONS } from '../services/tools/tool.ts';
import { type McpConnection, projectsOf } from './connection.ts';

export const LIST_PROJECTS = 'list_projects';

const listing: McpTool = {
  name: LIST_PROJECTS,
  title: 'List projects',
  description:
    'Lists the projects, the latest first, with the ids that the other tools ask for. First call where the question does not say which project it is about. Not for what a project holds (list_project_files).',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  outputSchema: {
    type: 'object',
    properties: {
      projects: {
        type: 'array',
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, name: { type: 'string' } },
          required: ['id', 'name'],
        },
      },
    },
    required: ['projects'],
  },
  annotations: TOOL_ANNOTATIONS,
};

/** @throws AppError `invalid_request` for an argument, since there is none */
async function call(given: Record<string, unknown>, connection: McpConnection): Promise<CallToolResult> {
  const unknown = Object.keys(given).map((name) => ({
    pointer: `/${name}`,
    detail: `There is no "${name}" here`,
    code: 'unrecognized_keys',
  }));
  if (unknown.length > 0) throw invalidFields(`The input of ${LIST_PROJECTS}`, unknown);
  const projects = (await projectsOf(connection)).map(({ id, name }) => ({ id, name }));
  const lines = projects.map(({ id, name }) => `- ${id}: ${name}`);
  const text = lines.length === 0 ? 'There are no projects yet: POST /projects makes one.' : lines.join('\n');
  return { content: [{ type: 'text', text }], structuredContent: { projects } };
}

/** How a client that is bound to no project learns of them: over HTTP it would list them, which is no tool over documents. */
export const listProjects = { listing, call };
