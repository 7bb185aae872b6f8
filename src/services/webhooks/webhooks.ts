import { randomUUID } from 'node:crypto';
import type { List } from '../../contract/list.ts';
import type { NewWebhook, Webhook, WebhookDeletion } from '../../contract/webhook.ts';
import type { Database } from '../../db/database.ts';
import { holdQuotas } from '../../db/quotas.ts';
import {
  countWebhooks,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  rotateSecret,
  selectWebhooks,
  updateWebhook,
  type WebhookFields,
  type WebhookRow,
} from '../../db/webhooks.ts';
import { AppError, wrongField } from '../../errors.ts';
import { storableText } from '../../text/storable.ts';
import { type PageRequest, readPage } from '../page.ts';
import { addressInUrl, isPublicAddress } from './addresses.ts';
import { newWebhookSecret, type SecretStore, shownSecret } from './secrets.ts';
import { shownWebhook } from './shown.ts';

/** In one workspace: each event makes a row for each of them. */
const MOST_WEBHOOKS = 50;

export interface WebhookServiceDeps {
  db: Database;
  secrets: SecretStore;
  allowPrivate: boolean;
}

const webhookNotFound = (id: string): AppError =>
  new AppError('webhook_not_found', {
    detail: `There is no webhook "${id}". GET /webhooks lists those there are.`,
  });

const notAllowed = (detail: string): AppError =>
  wrongField('invalid_request', { pointer: '/url', detail, code: 'invalid_url' });

/** @throws AppError `invalid_request` for what nothing can be posted to, and for addresses that are not public */
function checkedUrl(text: string, allowPrivate: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw notAllowed('must be an http or https URL');
  if (url.username !== '' || url.password !== '') throw notAllowed('must not hold a user or a password');
  if (url.hash !== '') throw notAllowed('must not hold a fragment');
  const literal = addressInUrl(url);
  const isLocal = /(^|\.)localhost\.?$/.test(url.hostname) || (literal !== null && !isPublicAddress(literal));
  if (isLocal && !allowPrivate) {
    throw notAllowed(
      'must not be an address of this machine or of a private network (WEBHOOK_ALLOW_PRIVATE)',
    );
  }
  return url.href;
}

const checkedFields = (fields: WebhookFields, allowPrivate: boolean): WebhookFields => ({
  ...fields,
  url: checkedUrl(fields.url, allowPrivate),
  description: storableText(fields.description),
});

/** What is to be another way; what is left out stays. */
export type WebhookChange = {
  [Name in 'url' | 'description' | 'projects' | 'types' | 'status']?: Webhook[Name] | undefined;
};

/** @throws AppError `webhook_not_found` */
export async function requireWebhook(db: Database, workspaceId: string, id: string): Promise<WebhookRow> {
  const row = await findWebhook(db, workspaceId, storableText(id));
  if (!row) throw webhookNotFound(id);
  return row;
}

/** The use cases of webhooks. */
export function createWebhookService({ db, secrets, allowPrivate }: WebhookServiceDeps) {
  return {
    /** @throws AppError `invalid_request` for a URL that is not allowed, `quota_exceeded` */
    async create(workspaceId: string, fields: WebhookFields): Promise<NewWebhook> {
      const webhookId = `wh_${randomUUID().replaceAll('-', '')}`;
      const secret = newWebhookSecret();
      const own = checkedFields(fields, allowPrivate);
      const row = await db.transaction(async (tx) => {
        // of two that are made at once the second counts the first
        await holdQuotas(tx, workspaceId);
        const sealed = secrets.sealed({ workspaceId, webhookId }, secret);
        const made = await insertWebhook(tx, workspaceId, webhookId, { fields: own, secret: sealed });
        if ((await countWebhooks(tx, workspaceId)) > MOST_WEBHOOKS) {
          throw new AppError('quota_exceeded', {
            detail: `A workspace has up to ${MOST_WEBHOOKS} webhooks. Delete one first.`,
          });
        }
        return made;
      });
      return { ...shownWebhook(row), secret: shownSecret(secret) };
    },

    /** @throws AppError `invalid_cursor` */
    async list(workspaceId: string, page: PageRequest): Promise<List<Webhook>> {
      const found = await readPage(
        { of: 'webhooks', scope: { workspaceId } },
        page,
        (bounds) => selectWebhooks(db, workspaceId, bounds),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(shownWebhook) };
    },

    /** @throws AppError `webhook_not_found` */
    get: async (workspaceId: string, id: string): Promise<Webhook> =>
      shownWebhook(await requireWebhook(db, workspaceId, id)),

    /** @throws AppError `webhook_not_found`, `invalid_request` for a URL that is not allowed */
    update(workspaceId: string, id: string, change: WebhookChange): Promise<Webhook> {
      return db.transaction(async (tx) => {
        const row = await findWebhook(tx, workspaceId, storableText(id), { lock: true });
        if (!row) throw webhookNotFound(id);
        const { status = row.status, ...fields } = change;
        const wanted = checkedFields(
          {
            url: fields.url ?? row.url,
            description: fields.description ?? row.description,
            projects: fields.projects === undefined ? row.projects : fields.projects,
            types: fields.types === undefined ? row.types : fields.types,
          },
          allowPrivate,
        );
        const reason = status === 'enabled' ? null : (row.disabled_reason ?? 'asked');
        const updated = await updateWebhook(tx, workspaceId, row.webhook_id, {
          ...wanted,
          status,
          disabled_reason: reason,
        });
        return shownWebhook(updated ?? row);
      });
    },

    /**
     * Gives it another secret; the present one signs, too, for so long.
     *
     * @throws AppError `webhook_not_found`
     */
    async rotate(workspaceId: string, id: string, overlapSeconds: number): Promise<NewWebhook> {
      const webhookId = storableText(id);
      const fresh = newWebhookSecret();
      const secret = secrets.sealed({ workspaceId, webhookId }, fresh);
      const row = await rotateSecret(db, workspaceId, webhookId, { secret, overlapSeconds });
      if (!row) throw webhookNotFound(id);
      return { ...shownWebhook(row), secret: shownSecret(fresh) };
    },

    /** @throws AppError `webhook_not_found` */
    async remove(workspaceId: string, id: string): Promise<WebhookDeletion> {
      const isGone = await db.transaction((tx) => deleteWebhook(tx, workspaceId, storableText(id)));
      if (!isGone) throw webhookNotFound(id);
      return { object: 'deletion', id, deleted: true };
    },
  };
}

export type WebhookService = ReturnType<typeof createWebhookService>;
