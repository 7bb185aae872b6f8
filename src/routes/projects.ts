import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listOf } from '../contract/list.ts';
import { projectDeletionSchema, projectIdSchema, projectSchema } from '../contract/project.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders } from './plumbing/idempotency.ts';
import { problemResponses } from './plumbing/problems.ts';
import { pageQuerySchema, projectNameSchema, projectParamsSchema, projectScope } from './plumbing/wire.ts';

function createProject(app: App, { projects }: Services): void {
  app.post(
    '/projects',
    {
      config: { idempotency: 'json', sends: ['Location'] },
      schema: {
        operationId: 'createProject',
        tags: ['projects'],
        summary: 'Create a project',
        description: 'The first call of all. Give a name; the id is made from it unless you choose one.',
        headers: idempotencyHeaders,
        body: z
          .strictObject({
            id: projectIdSchema.optional().describe('A slug of your choice; made from the name without.'),
            name: projectNameSchema,
          })
          .meta({ examples: [{ name: 'Campaign ROI analysis' }] }),
        response: {
          201: projectSchema,
          ...problemResponses('quota_exceeded', 'project_exists', 'invalid_json', ...IDEMPOTENCY_ERRORS),
        },
      },
    },
    async (request, reply) => {
      const project = await projects.create(request.principal.workspaceId, request.body);
      return reply.status(201).header('location', `/projects/${project.id}`).send(project);
    },
  );
}

function listProjects(app: App, { projects }: Services): void {
  app.get(
    '/projects',
    {
      schema: {
        operationId: 'listProjects',
        tags: ['projects'],
        summary: 'List projects',
        description:
          'In order of creation, page by page; narrow it by `name`. Cursors belong to the list that you narrowed.',
        querystring: pageQuerySchema.extend({
          name: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('Only projects whose name holds this text, in whatever case.'),
        }),
        response: { 200: listOf(projectSchema), ...problemResponses('invalid_cursor') },
      },
    },
    async (request) => {
      const { name, ...page } = request.query;
      return projects.list(request.principal.workspaceId, page, name ?? null);
    },
  );
}

function getProject(app: App, { projects }: Services): void {
  app.get(
    '/projects/:project_id',
    {
      schema: {
        operationId: 'getProject',
        tags: ['projects'],
        summary: 'Get a project',
        description: 'Its name and where it stands; the state has an address of its own.',
        params: projectParamsSchema,
        response: { 200: projectSchema, ...problemResponses('project_not_found') },
      },
    },
    async (request) => projects.get(projectScope(request)),
  );
}

function changeProject(app: App, { projects }: Services): void {
  app.patch(
    '/projects/:project_id',
    {
      schema: {
        operationId: 'renameProject',
        tags: ['projects'],
        summary: 'Change a project',
        description:
          'Changes the name for people, and whether a model writes a context for each leaf of the files that come from now on; what is left out stays, and so does the id. Files that are there get or lose their contexts by `files:contexts`, which says before what that costs.',
        params: projectParamsSchema,
        body: z
          .strictObject({
            name: projectNameSchema.optional(),
            contextual: z
              .boolean()
              .nullable()
              .optional()
              .describe('Whether contexts are written; null: as the service is set.'),
          })
          .refine((change) => Object.keys(change).length > 0, 'must have a name or contextual')
          .meta({ examples: [{ name: 'Campaign ROI, second half' }] }),
        response: {
          200: projectSchema,
          ...problemResponses('project_not_found', 'contexts_unavailable', 'invalid_json'),
        },
      },
    },
    async (request) => {
      const { name, contextual } = request.body;
      return projects.change(projectScope(request), {
        ...(name !== undefined && { name }),
        ...(contextual !== undefined && { contextual }),
      });
    },
  );
}

function deleteProject(app: App, { projects }: Services): void {
  app.delete(
    '/projects/:project_id',
    {
      schema: {
        operationId: 'deleteProject',
        tags: ['projects'],
        summary: 'Delete a project',
        description:
          'Removes every row and vector that came from the project, in one transaction, and answers with a receipt. There is no way back.',
        params: projectParamsSchema,
        response: { 200: projectDeletionSchema, ...problemResponses('project_not_found') },
      },
    },
    async (request) => projects.remove(projectScope(request)),
  );
}

/** Projects: create, list, get, change, delete. */
export const projectRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  createProject(app, services);
  listProjects(app, services);
  getProject(app, services);
  changeProject(app, services);
  deleteProject(app, services);
};
