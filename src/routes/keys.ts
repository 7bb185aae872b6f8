import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  accessScopesSchema,
  apiKeyDeletionSchema,
  apiKeySchema,
  newApiKeySchema,
  rateLimitsSchema,
} from '../contract/key.ts';
import { listOf } from '../contract/list.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { witnessOf } from './plumbing/audit.ts';
import { problemResponses } from './plumbing/problems.ts';
import { strictly } from './plumbing/validation.ts';
import { pageQuerySchema } from './plumbing/wire.ts';

const workspaceSchema = z
  .string()
  .max(200)
  .optional()
  .describe('The id of a workspace, for a key with the scope `service`; your own without.');

const newKeySchema = z
  .strictObject({
    name: z.string().trim().min(1).max(200).describe('For people: who or what has it.'),
    scopes: accessScopesSchema,
    expires_at: z.iso
      .datetime({ offset: true, abort: true })
      .refine((at) => Date.parse(at) > Date.now(), 'must be in the future')
      .optional()
      .describe('From when it is not valid any more; left out: never.'),
    workspace: workspaceSchema,
    rate_limits: strictly(rateLimitsSchema)
      .optional()
      .describe(
        'Limits of its own; 0: none, null: as the service is set. More than that takes the scope `service`.',
      ),
  })
  .meta({ examples: [{ name: 'Reporting', scopes: ['read'] }] });

function createKey(app: App, services: Services): void {
  app.post(
    '/keys',
    {
      config: { access: 'admin', sends: ['Location'] },
      schema: {
        operationId: 'createKey',
        tags: ['keys'],
        summary: 'Make an API key',
        description:
          'The answer has the key, this once: only a digest of it is kept. It can have no scope that yours lacks. From the first key on, every operation but health and the contract asks for one; so the first has to have the scope `service` and no expiry. Takes no `Idempotency-Key`, since the answer is not kept.',
        body: newKeySchema,
        response: {
          201: newApiKeySchema,
          ...problemResponses('quota_exceeded', 'workspace_not_found', 'last_key', 'invalid_json'),
        },
      },
    },
    async (request, reply) => {
      const { name, scopes, expires_at, workspace: workspaceId, rate_limits: rateLimits } = request.body;
      const expiresAt = expires_at === undefined ? null : new Date(expires_at);
      const key = await services.keys.create(
        request.principal,
        { name, scopes, expiresAt, workspaceId, rateLimits },
        witnessOf(request, services, 201),
      );
      return reply
        .status(201)
        .headers({ location: `/keys/${key.id}`, 'cache-control': 'no-store' })
        .send(key);
    },
  );
}

function listKeys(app: App, { keys }: Services): void {
  app.get(
    '/keys',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listKeys',
        tags: ['keys'],
        summary: 'List API keys',
        description: 'Those of the workspace, in order of creation, without the keys themselves.',
        querystring: pageQuerySchema.extend({ workspace: workspaceSchema }),
        response: {
          200: listOf(apiKeySchema),
          ...problemResponses('workspace_not_found', 'invalid_cursor'),
        },
      },
    },
    async (request) => {
      const { workspace, ...page } = request.query;
      return keys.list(request.principal, workspace, page);
    },
  );
}

function revokeKey(app: App, services: Services): void {
  app.delete(
    '/keys/:id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'revokeKey',
        tags: ['keys'],
        summary: 'Revoke an API key',
        description:
          'Its next request is refused: at once by the process that answers this, and within a second by others on the same database. The last key that can make others stays, unless you say `force=true`.',
        params: z.object({ id: z.string().max(200).describe('The id of the key.') }),
        querystring: z.object({
          workspace: workspaceSchema,
          force: z
            .enum(['true', 'false'])
            .default('false')
            .describe('Also the last key with the scope `service` and no expiry.'),
        }),
        response: {
          200: apiKeyDeletionSchema,
          ...problemResponses('key_not_found', 'workspace_not_found', 'last_key'),
        },
      },
    },
    async (request) => {
      const { workspace, force } = request.query;
      const options = { workspaceId: workspace, force: force === 'true' };
      const witness = witnessOf(request, services);
      return services.keys.revoke(request.principal, request.params.id, options, witness);
    },
  );
}

/** API keys: make, list, revoke. */
export const keyRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  createKey(app, services);
  listKeys(app, services);
  revokeKey(app, services);
};
