import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listOf } from '../contract/list.ts';
import {
  newWebhookSchema,
  webhookDeletionSchema,
  webhookFieldsSchema,
  webhookSchema,
} from '../contract/webhook.ts';
import type { Services } from '../services/services.ts';
import type { App } from './plumbing/app.ts';
import { problemResponses } from './plumbing/problems.ts';
import { pageQuerySchema } from './plumbing/wire.ts';

export const webhookParamsSchema = z.object({
  webhook_id: z.string().max(200).describe('The id of the webhook.'),
});

function createWebhook(app: App, { webhooks }: Services): void {
  app.post(
    '/webhooks',
    {
      config: { access: 'admin', sends: ['Location'] },
      schema: {
        operationId: 'createWebhook',
        tags: ['events'],
        summary: 'Make a webhook',
        description:
          'Has events posted to an address, signed by Standard Webhooks. The answer has the secret, this once. Each message is delivered at least once: answer with 2xx within some seconds, and tell repeats apart by `webhook-id`. Takes no `Idempotency-Key`, since the answer is not kept.',
        body: z
          .strictObject({
            url: webhookFieldsSchema.shape.url,
            description: webhookFieldsSchema.shape.description.default(''),
            projects: webhookFieldsSchema.shape.projects.default(null),
            types: webhookFieldsSchema.shape.types.default(null),
          })
          .meta({
            examples: [{ url: 'https://hooks.example/forge', types: ['file.completed', 'file.failed'] }],
          }),
        response: { 201: newWebhookSchema, ...problemResponses('quota_exceeded', 'invalid_json') },
      },
    },
    async (request, reply) => {
      const webhook = await webhooks.create(request.principal.workspaceId, request.body);
      return reply
        .status(201)
        .headers({ location: `/webhooks/${webhook.id}`, 'cache-control': 'no-store' })
        .send(webhook);
    },
  );
}

function readWebhooks(app: App, { webhooks }: Services): void {
  app.get(
    '/webhooks',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listWebhooks',
        tags: ['events'],
        summary: 'List webhooks',
        description: 'Those of the workspace, in order of creation, without their secrets.',
        querystring: pageQuerySchema,
        response: { 200: listOf(webhookSchema), ...problemResponses('invalid_cursor') },
      },
    },
    async (request) => webhooks.list(request.principal.workspaceId, request.query),
  );
  app.get(
    '/webhooks/:webhook_id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'getWebhook',
        tags: ['events'],
        summary: 'Get a webhook',
        description: 'What it is sent and whether it is enabled, without its secret.',
        params: webhookParamsSchema,
        response: { 200: webhookSchema, ...problemResponses('webhook_not_found') },
      },
    },
    async ({ principal, params }) => webhooks.get(principal.workspaceId, params.webhook_id),
  );
}

function changeWebhook(app: App, { webhooks }: Services): void {
  app.patch(
    '/webhooks/:webhook_id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'updateWebhook',
        tags: ['events'],
        summary: 'Change a webhook',
        description:
          'Changes what is given. One that was disabled is enabled again by `{"status":"enabled"}`: what it was not sent meanwhile is in the feeds of the projects; what was pending is sent.',
        params: webhookParamsSchema,
        body: webhookFieldsSchema
          .extend({ status: z.enum(['enabled', 'disabled']).describe('Whether it is sent anything.') })
          .partial()
          .strict()
          .meta({ examples: [{ status: 'enabled' }] }),
        response: { 200: webhookSchema, ...problemResponses('webhook_not_found', 'invalid_json') },
      },
    },
    async ({ principal, params, body }) => webhooks.update(principal.workspaceId, params.webhook_id, body),
  );
  app.post(
    '/webhooks/:webhook_id/rotate',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags: ['events'],
        summary: 'Give a webhook another secret',
        description:
          'The answer has the new secret, this once. For a while messages are signed with both, so that receivers can change over.',
        params: webhookParamsSchema,
        querystring: z.object({
          overlap_hours: z.coerce
            .number()
            .int()
            .min(0)
            .max(720)
            .default(24)
            .describe('For how many hours the present secret signs, too: 0 to 720.'),
        }),
        response: { 200: newWebhookSchema, ...problemResponses('webhook_not_found') },
      },
    },
    async ({ principal, params, query }, reply) =>
      reply
        .header('cache-control', 'no-store')
        .send(await webhooks.rotate(principal.workspaceId, params.webhook_id, query.overlap_hours * 3_600)),
  );
  app.delete(
    '/webhooks/:webhook_id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'deleteWebhook',
        tags: ['events'],
        summary: 'Delete a webhook',
        description: 'It is sent nothing any more; the log of its deliveries goes with it.',
        params: webhookParamsSchema,
        response: { 200: webhookDeletionSchema, ...problemResponses('webhook_not_found') },
      },
    },
    async ({ principal, params }) => webhooks.remove(principal.workspaceId, params.webhook_id),
  );
}

/** Webhooks: make, list, look at, change, delete. */
export const webhookRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (app, { services }) => {
  createWebhook(app, services);
  readWebhooks(app, services);
  changeWebhook(app, services);
};
