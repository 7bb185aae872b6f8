import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ProjectRecord } from '../db/projects.ts';
import { DEFAULT_WORKSPACE } from '../scope.ts';
import type { Services } from '../services/services.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders } from './plumbing/idempotency.ts';
import { problemResponses } from './plumbing/problems.ts';
import {
  listOf,
  listView,
  pageQuerySchema,
  projectIdSchema,
  projectParamsSchema,
  projectScope,
  timeSchema,
} from './plumbing/wire.ts';

const nameSchema = z.string().trim().min(1).max(200).describe('For people: 1 to 200 characters.');

const projectSchema = z
  .object({
    object: z.literal('project'),
    id: z.string(),
    name: z.string(),
    turn_count: z.int(),
    active_mode: z.enum(['discovery', 'evaluation']),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Project' });

const deletionSchema = z
  .object({
    object: z.literal('deletion'),
    id: z.string(),
    deleted: z.literal(true),
    removed: z.object({
      files: z.int(),
      versions: z.int(),
      parents: z.int(),
      leaves: z.int(),
      vectors: z.int(),
      turns: z.int(),
      summaries: z.int(),
      jobs: z.int(),
    }),
  })
  .meta({ id: 'ProjectDeletion', description: 'What a deletion removed, counted before it was removed.' });

const view = (project: ProjectRecord): z.infer<typeof projectSchema> => ({
  object: 'project',
  id: project.projectId,
  name: project.name,
  turn_count: project.state.turn_count,
  active_mode: project.state.routing.active_mode,
  created_at: project.createdAt.toISOString(),
  updated_at: project.updatedAt.toISOString(),
});

/** Projects: create, list, get, rename, delete. */
export const projectRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  app.post(
    '/projects',
    {
      config: { idempotency: 'json' },
      schema: {
        operationId: 'createProject',
        tags: ['projects'],
        summary: 'Create a project',
        description: 'The first call of all. Give a name; the id is made from it unless you choose one.',
        headers: idempotencyHeaders,
        body: z
          .object({ id: projectIdSchema.optional(), name: nameSchema })
          .meta({ examples: [{ name: 'Campaign ROI analysis' }] }),
        response: {
          201: projectSchema,
          ...problemResponses('project_exists', 'invalid_json', ...IDEMPOTENCY_ERRORS),
        },
      },
    },
    async (request, reply) => {
      const project = await services.projects.create(DEFAULT_WORKSPACE, request.body);
      return reply.status(201).header('location', `/projects/${project.projectId}`).send(view(project));
    },
  );

  app.get(
    '/projects',
    {
      schema: {
        operationId: 'listProjects',
        tags: ['projects'],
        summary: 'List projects',
        description: 'In order of creation, page by page.',
        querystring: pageQuerySchema,
        response: { 200: listOf(projectSchema), ...problemResponses('invalid_cursor') },
      },
    },
    async (request) => listView(await services.projects.list(DEFAULT_WORKSPACE, request.query), view),
  );

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
    async (request) => view(await services.projects.get(projectScope(request.params))),
  );

  app.patch(
    '/projects/:project_id',
    {
      schema: {
        operationId: 'renameProject',
        tags: ['projects'],
        summary: 'Rename a project',
        description: 'Changes the name for people; the id stays.',
        params: projectParamsSchema,
        body: z.object({ name: nameSchema }).meta({ examples: [{ name: 'Campaign ROI, second half' }] }),
        response: { 200: projectSchema, ...problemResponses('project_not_found', 'invalid_json') },
      },
    },
    async (request) => view(await services.projects.rename(projectScope(request.params), request.body.name)),
  );

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
        response: { 200: deletionSchema, ...problemResponses('project_not_found') },
      },
    },
    async (request) => ({
      object: 'deletion' as const,
      id: request.params.project_id,
      deleted: true as const,
      removed: await services.projects.remove(projectScope(request.params)),
    }),
  );
};
