import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { wholeListOf } from '../contract/list.ts';
import { toolResultSchema, toolSchema } from '../contract/tool.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { whileConnected } from './plumbing/sse.ts';
import { projectParamsSchema, projectScope, wholeList } from './plumbing/wire.ts';

/** The read-only tools that the research agent has, for looking at them and for calling one by hand. */
export const toolRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  const { tools } = services;

  app.get(
    '/tools',
    {
      schema: {
        operationId: 'listTools',
        tags: ['research'],
        summary: 'List the tools',
        description:
          'The read-only tools over documents, as a model is told of them: when to call each and when not, and the JSON Schema of its input.',
        response: { 200: wholeListOf(toolSchema), ...problemResponses() },
      },
    },
    async () => wholeList(tools.list()),
  );

  app.post(
    '/projects/:project_id/tools/:name',
    {
      config: { access: 'read', isExpensive: true },
      schema: {
        operationId: 'callTool',
        tags: ['research'],
        summary: 'Call a tool by hand',
        description:
          'Calls one tool as the research agent would, and shows what a model is given: for finding out why an answer is as it is. The body is the input. What the tool cannot do, such as to read a file that is not there, is a result with `is_error`. When the month is spent, those that call no model are served on.',
        params: projectParamsSchema.extend({
          name: z.string().max(200).describe('The name of the tool, as `GET /tools` gives it.'),
        }),
        body: z
          .record(z.string(), z.unknown())
          .default({})
          .meta({ examples: [{ filename: 'report.docx', query: 'enterprise churn' }] }),
        response: {
          200: toolResultSchema,
          ...problemResponses(
            'project_not_found',
            'tool_not_found',
            'invalid_json',
            'quota_exceeded',
            'price_unknown',
          ),
        },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      return tools.call(projectScope(request), name, request.body, {
        signal: whileConnected(reply),
      });
    },
  );
};
