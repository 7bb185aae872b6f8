import { z } from 'zod';
import { PROJECT_EVENT_TYPES } from './project-event.ts';
import { kind } from './shared.ts';
import { timeSchema } from './time.ts';

export const webhookEventTypeSchema = z.enum(PROJECT_EVENT_TYPES);

/** What a webhook is made of, as it is asked for. */
export const webhookFieldsSchema = z.object({
  url: z
    .string()
    .min(1)
    .max(2_000)
    .describe('Where events are sent: http or https, without a user or a fragment.'),
  description: z.string().max(500).describe('For people: what it is for.'),
  projects: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(100)
    .nullable()
    .describe('The ids of the projects that it is told of; null: of all, and of the library.'),
  types: z
    .array(webhookEventTypeSchema)
    .min(1)
    .nullable()
    .describe('The types of events that it is sent; null: all.'),
});

/** An address that is sent what changes. */
export const webhookSchema = webhookFieldsSchema
  .extend({
    object: kind('webhook'),
    id: z.string().describe('The id of the webhook.'),
    status: z.enum(['enabled', 'disabled']).describe('Whether it is sent anything.'),
    disabled_reason: z
      .enum(['asked', 'failing', 'gone'])
      .nullable()
      .describe(
        'Why it is disabled: you asked for it, deliveries were given up one after another, or its receiver answered 410.',
      ),
    previous_secret_until: timeSchema
      .nullable()
      .describe('Until when the secret before this one signs, too; null: there is none.'),
    created_at: timeSchema.describe('When it was made; RFC 3339, UTC.'),
    updated_at: timeSchema.describe('When it was changed last; RFC 3339, UTC.'),
  })
  .meta({ id: 'Webhook', description: 'An address that is sent what changes in the workspace.' });
export type Webhook = z.infer<typeof webhookSchema>;

export const newWebhookSchema = webhookSchema
  .extend({ secret: z.string().describe('What its messages are signed with: shown this once.') })
  .meta({ id: 'NewWebhook', description: 'A webhook with its secret, which is shown this once.' });
export type NewWebhook = z.infer<typeof newWebhookSchema>;

export const webhookDeletionSchema = z
  .object({
    object: kind('deletion'),
    id: z.string().describe('The id of the webhook.'),
    deleted: z.literal(true).describe('It is gone.'),
  })
  .meta({
    id: 'WebhookDeletion',
    description: 'A webhook that was deleted, with the log of its deliveries.',
  });
export type WebhookDeletion = z.infer<typeof webhookDeletionSchema>;

const attemptSchema = z
  .object({
    at: timeSchema.describe('When it was made; RFC 3339, UTC.'),
    status_code: z.int().nullable().describe('The HTTP status of the answer; null: none came.'),
    ms: z.number().describe('How long it took, in milliseconds.'),
    error: z.string().nullable().describe('Why it failed; null: it did not.'),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt at a delivery.' });
export type WebhookAttempt = z.infer<typeof attemptSchema>;

/** A message to a webhook, and what became of it. */
export const webhookDeliverySchema = z
  .object({
    object: kind('webhook_delivery'),
    id: z.string().describe('The id of the message: its `webhook-id`, the same in each attempt.'),
    webhook_id: z.string().describe('The webhook that it goes to.'),
    event_id: z.int().describe('The number of the event; 0 of a test.'),
    event_type: z.string().describe('The type of the event; `webhook.test` of a test.'),
    project_id: z.string().nullable().describe('The project of the event; null: the library, or a test.'),
    status: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('`pending` until it was delivered, or given up after the last attempt.'),
    attempts: z.int().describe('Attempts that were begun since it was asked for.'),
    next_attempt_at: timeSchema.nullable().describe('While it is pending: when it is tried next.'),
    log: z.array(attemptSchema).describe('The last attempts, 20 at most, oldest first.'),
    created_at: timeSchema.describe('When it was to be sent first; RFC 3339, UTC.'),
  })
  .meta({ id: 'WebhookDelivery', description: 'A message to a webhook, and what became of it.' });
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
