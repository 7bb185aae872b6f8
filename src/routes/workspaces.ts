import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listOf } from '../contract/list.ts';
import { projectIdSchema } from '../contract/project.ts';
import { quotasSchema } from '../contract/quota.ts';
import { workspaceDeletionSchema, workspaceSchema } from '../contract/workspace.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { witnessOf } from './plumbing/audit.ts';
import { IDEMPOTENCY_ERRORS, idempotencyHeaders } from './plumbing/idempotency.ts';
import { problemResponses } from './plumbing/problems.ts';
import { pageQuerySchema, projectNameSchema } from './plumbing/wire.ts';

const paramsSchema = z.object({ workspace_id: z.string().max(200).describe('The id of the workspace.') });

function createWorkspace(app: App, services: Services): void {
  app.post(
    '/workspaces',
    {
      config: { access: 'service', idempotency: 'json', sends: ['Location'] },
      schema: {
        operationId: 'createWorkspace',
        tags: ['keys'],
        summary: 'Create a workspace',
        description:
          'A tenant with projects, a library and keys of its own. Nobody is in it before `POST /keys` has made a key for it, with `workspace`.',
        headers: idempotencyHeaders,
        body: z
          .strictObject({
            id: projectIdSchema.describe('1 to 64 of a-z, 0-9 and -.'),
            name: projectNameSchema,
          })
          .meta({ examples: [{ id: 'acme', name: 'Acme' }] }),
        response: {
          201: workspaceSchema,
          ...problemResponses('workspace_exists', 'invalid_json', ...IDEMPOTENCY_ERRORS),
        },
      },
    },
    async (request, reply) => {
      const workspace = await services.workspaces.create(request.body, witnessOf(request, services, 201));
      return reply.status(201).header('location', `/workspaces/${workspace.id}`).send(workspace);
    },
  );
}

function listWorkspaces(app: App, { workspaces }: Services): void {
  app.get(
    '/workspaces',
    {
      config: { access: 'service' },
      schema: {
        operationId: 'listWorkspaces',
        tags: ['keys'],
        summary: 'List workspaces',
        description: 'All of them, in order of creation.',
        querystring: pageQuerySchema,
        response: { 200: listOf(workspaceSchema), ...problemResponses('invalid_cursor') },
      },
    },
    async (request) => workspaces.list(request.query),
  );
}

function getWorkspace(app: App, { workspaces }: Services): void {
  app.get(
    '/workspaces/:workspace_id',
    {
      config: { access: 'service' },
      schema: {
        operationId: 'getWorkspace',
        tags: ['keys'],
        summary: 'Get a workspace',
        description: 'Its name, since when there is one, what it may hold and spend, and what it does.',
        params: paramsSchema,
        response: { 200: workspaceSchema, ...problemResponses('workspace_not_found') },
      },
    },
    async (request) => workspaces.get(request.params.workspace_id),
  );
}

const quotaShape = quotasSchema.shape;
const changed = <T extends z.ZodType>(schema: T) =>
  z
    .union([schema, z.literal('default')])
    .optional()
    .describe(schema.description ?? '');
const quotaChangesSchema = z
  .strictObject({
    projects: changed(quotaShape.projects),
    files: changed(quotaShape.files),
    bytes: changed(quotaShape.bytes),
    keys: changed(quotaShape.keys),
    tokens_per_month: changed(quotaShape.tokens_per_month),
    usd_per_month: changed(quotaShape.usd_per_month),
  })
  .describe('A number; null: no limit; `default`: as the service is set. What is left out stays.');

function changeWorkspace(app: App, services: Services): void {
  app.patch(
    '/workspaces/:workspace_id',
    {
      config: { access: 'service' },
      schema: {
        operationId: 'changeWorkspace',
        tags: ['keys'],
        summary: 'Rename a workspace, or set its quotas',
        description:
          'What it may hold, and spend in a month. What it has already stays, and what is under way goes on, beyond its quotas too; what would add to it is refused with `quota_exceeded`. Other instances know of it within a second.',
        params: paramsSchema,
        body: z
          .strictObject({
            name: projectNameSchema.optional(),
            quotas: quotaChangesSchema.optional().describe('What it may hold and spend.'),
          })
          .meta({ examples: [{ quotas: { bytes: 10_000_000_000, usd_per_month: 50 } }] }),
        response: { 200: workspaceSchema, ...problemResponses('workspace_not_found', 'invalid_json') },
      },
    },
    async (request) => {
      const { params, body } = request;
      return services.workspaces.change(params.workspace_id, body, witnessOf(request, services));
    },
  );
}

function deleteWorkspace(app: App, services: Services): void {
  app.delete(
    '/workspaces/:workspace_id',
    {
      config: { access: 'service' },
      schema: {
        operationId: 'deleteWorkspace',
        tags: ['keys'],
        summary: 'Delete a workspace',
        description:
          'Removes its projects, its library, its keys and its audit log, and ends what runs of them. There is no way back.',
        params: paramsSchema,
        response: {
          200: workspaceDeletionSchema,
          ...problemResponses('workspace_not_found', 'workspace_not_deletable'),
        },
      },
    },
    async (request) => services.workspaces.remove(request.params.workspace_id, witnessOf(request, services)),
  );
}

/** Workspaces: create, list, get, change, delete. */
export const workspaceRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  createWorkspace(app, services);
  listWorkspaces(app, services);
  getWorkspace(app, services);
  changeWorkspace(app, services);
  deleteWorkspace(app, services);
};
