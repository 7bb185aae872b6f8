import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { listOf } from '../contract/list.ts';
import { webhookDeliverySchema } from '../contract/webhook.ts';
import type { Services } from '../services/services.ts';
import { problemResponses } from './plumbing/problems.ts';
import { pageQuerySchema } from './plumbing/wire.ts';
import { webhookParamsSchema } from './webhooks.ts';

/** What was sent to webhooks: looked at, tried, tried again. */
export const webhookDeliveryRoutes: FastifyPluginAsyncZod<{ services: Services }> = async (
  app,
  { services: { deliveries } },
) => {
  app.get(
    '/webhooks/:webhook_id/deliveries',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listWebhookDeliveries',
        tags: ['events'],
        summary: 'List deliveries',
        description:
          'The messages to a webhook with what became of each: attempts, statuses, times; kept for `RETENTION_FEED_DAYS`. Newest first with `order=desc`.',
        params: webhookParamsSchema,
        querystring: pageQuerySchema.extend({
          status: webhookDeliverySchema.shape.status
            .optional()
            .describe('Only `pending`, `delivered` or `failed` ones.'),
        }),
        response: {
          200: listOf(webhookDeliverySchema),
          ...problemResponses('webhook_not_found', 'invalid_cursor'),
        },
      },
    },
    async ({ principal, params, query }) => {
      const { status = null, ...page } = query;
      return deliveries.list(principal.workspaceId, params.webhook_id, page, status);
    },
  );
  app.post(
    '/webhooks/:webhook_id/deliveries/:delivery_id/retry',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'retryWebhookDelivery',
        tags: ['events'],
        summary: 'Send a message again',
        description:
          'Whatever became of it: at once, with the same `webhook-id` and body, and with all attempts ahead of it.',
        params: webhookParamsSchema.extend({
          delivery_id: z.string().max(200).describe('The id of the delivery.'),
        }),
        response: {
          202: webhookDeliverySchema,
          ...problemResponses('webhook_not_found', 'delivery_not_found', 'webhook_disabled'),
        },
      },
    },
    async ({ principal, params }, reply) =>
      reply
        .status(202)
        .send(await deliveries.retry(principal.workspaceId, params.webhook_id, params.delivery_id)),
  );
  app.post(
    '/webhooks/:webhook_id/test',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'testWebhook',
        tags: ['events'],
        summary: 'Send a test',
        description:
          'Sends an event of the type `webhook.test`, whatever types were chosen, like any other: signed, retried, logged.',
        params: webhookParamsSchema,
        response: {
          202: webhookDeliverySchema,
          ...problemResponses('webhook_not_found', 'webhook_disabled'),
        },
      },
    },
    async ({ principal, params }, reply) =>
      reply.status(202).send(await deliveries.test(principal.workspaceId, params.webhook_id)),
  );
};
