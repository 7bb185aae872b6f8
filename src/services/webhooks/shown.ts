import type { Webhook, WebhookDelivery } from '../../contract/webhook.ts';
import type { StoredProjectEvent } from '../../db/project-events.ts';
import type { DeliveredEvent, DeliveryRow } from '../../db/webhook-deliveries.ts';
import type { WebhookRow } from '../../db/webhooks.ts';
import { shownEvent, shownProject } from '../events/shown-event.ts';

/** The type of the event that a test sends. */
export const TEST_TYPE = 'webhook.test';

const DELIVERY_ID = /^msg_(\d{1,18})$/;
export const deliveryId = (seq: string): string => `msg_${seq}`;
/** The number in the id of a delivery; null: no delivery has such an id. */
export const deliverySeq = (id: string): string | null => DELIVERY_ID.exec(id)?.[1] ?? null;

export const shownWebhook = (row: WebhookRow): Webhook => ({
  object: 'webhook',
  id: row.webhook_id,
  url: row.url,
  description: row.description,
  projects: row.projects,
  types: row.types,
  status: row.status,
  disabled_reason: row.disabled_reason,
  previous_secret_until: row.previous_until?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export const shownDelivery = (row: DeliveryRow): WebhookDelivery => ({
  object: 'webhook_delivery',
  id: deliveryId(row.seq),
  webhook_id: row.webhook_id,
  event_id: row.event.seq,
  event_type: row.event.type,
  project_id: row.project_id === null ? null : shownProject({ projectId: row.project_id }),
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.status === 'pending' ? row.run_at.toISOString() : null,
  log: row.log,
  created_at: row.created_at.toISOString(),
});

/** The body of a message: the event as the feed has it, the same in each attempt. */
export function messageBody(delivery: {
  workspaceId: string;
  webhookId: string;
  projectId: string | null;
  event: DeliveredEvent;
}): string {
  const { workspaceId, webhookId, projectId, event } = delivery;
  const at = new Date(event.at);
  if (projectId === null) {
    const url = `/webhooks/${webhookId}`;
    const test = { id: event.seq, type: event.type, timestamp: at.toISOString(), project_id: null };
    return JSON.stringify({ object: 'event', ...test, data: {}, url });
  }
  return JSON.stringify(shownEvent({ workspaceId, projectId }, { ...event, at } as StoredProjectEvent));
}
