import type { List } from '../../contract/list.ts';
import type { WebhookDelivery } from '../../contract/webhook.ts';
import type { Database } from '../../db/database.ts';
import {
  type DeliveryRow,
  insertDelivery,
  retryDelivery,
  selectDeliveries,
} from '../../db/webhook-deliveries.ts';
import type { WebhookRow } from '../../db/webhooks.ts';
import { AppError } from '../../errors.ts';
import { type PageRequest, readPage } from '../page.ts';
import { deliverySeq, shownDelivery, TEST_TYPE } from './shown.ts';
import { requireWebhook } from './webhooks.ts';

export interface DeliveryServiceDeps {
  db: Database;
  /** Told that a delivery is due. */
  onDelivery: () => void;
}

/** The use cases of what is sent to webhooks. */
export function createDeliveryService({ db, onDelivery }: DeliveryServiceDeps) {
  function due(row: DeliveryRow): WebhookDelivery {
    onDelivery();
    return shownDelivery(row);
  }

  async function requireEnabled(workspaceId: string, id: string): Promise<WebhookRow> {
    const row = await requireWebhook(db, workspaceId, id);
    if (row.status === 'enabled') return row;
    throw new AppError('webhook_disabled', {
      detail:
        'The webhook is disabled, and is sent nothing. Enable it first: PATCH with {"status":"enabled"}.',
    });
  }

  return {
    /** @throws AppError `webhook_not_found`, `webhook_disabled` */
    async test(workspaceId: string, id: string): Promise<WebhookDelivery> {
      const { webhook_id } = await requireEnabled(workspaceId, id);
      const event = { seq: 0, type: TEST_TYPE, subject: {}, at: new Date().toISOString() };
      return due(await insertDelivery(db, workspaceId, webhook_id, event));
    },

    /** @throws AppError `webhook_not_found`, `invalid_cursor` */
    async list(
      workspaceId: string,
      id: string,
      page: PageRequest,
      status: WebhookDelivery['status'] | null,
    ): Promise<List<WebhookDelivery>> {
      const { webhook_id: webhookId } = await requireWebhook(db, workspaceId, id);
      const found = await readPage(
        { of: 'webhook_deliveries', scope: { workspaceId }, within: JSON.stringify([webhookId, status]) },
        page,
        (bounds) => selectDeliveries(db, { workspaceId, webhookId, status }, bounds),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(shownDelivery) };
    },

    /**
     * Sends a message once more, whatever became of it, with the same id.
     *
     * @throws AppError `webhook_not_found`, `webhook_disabled`, `delivery_not_found`
     */
    async retry(workspaceId: string, id: string, delivery: string): Promise<WebhookDelivery> {
      const { webhook_id } = await requireEnabled(workspaceId, id);
      const seq = deliverySeq(delivery);
      const row = seq === null ? null : await retryDelivery(db, workspaceId, webhook_id, seq);
      if (row) return due(row);
      throw new AppError('delivery_not_found', {
        detail: `The webhook has no delivery "${delivery}". GET /webhooks/${id}/deliveries lists those there are.`,
      });
    },
  };
}

export type DeliveryService = ReturnType<typeof createDeliveryService>;
