import type { Webhook } from '../contract/webhook.ts';
import type { Queryable } from './database.ts';

/** A secret as it is stored, and the key that opens it; null: it is stored as it is. */
export interface StoredSecret {
  bytes: Buffer;
  keyId: string | null;
}

/** What of a webhook's row is shown. */
export interface WebhookRow {
  webhook_id: string;
  url: string;
  description: string;
  projects: string[] | null;
  types: Webhook['types'];
  status: Webhook['status'];
  disabled_reason: Webhook['disabled_reason'];
  previous_until: Date | null;
  created_at: Date;
  updated_at: Date;
  seq: string;
}

export type WebhookFields = Pick<Webhook, 'url' | 'description' | 'projects' | 'types'>;

/** A row as it is shown: a secret that signs no more is none. */
const shown = (row: WebhookRow): WebhookRow =>
  row.previous_until !== null && row.previous_until.getTime() <= Date.now()
    ? { ...row, previous_until: null }
    : row;

const COLUMNS = `webhook_id, url, description, projects, types, status, disabled_reason,
  previous_until, created_at, updated_at, seq`;

/** Adds a webhook. */
export async function insertWebhook(
  tx: Queryable,
  workspaceId: string,
  id: string,
  { fields, secret }: { fields: WebhookFields; secret: StoredSecret },
): Promise<WebhookRow> {
  const { rows } = await tx.query<WebhookRow>(
    `insert into webhooks (workspace_id, webhook_id, url, description, projects, types, secret, secret_key_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [
      workspaceId,
      id,
      fields.url,
      fields.description,
      fields.projects,
      fields.types,
      secret.bytes,
      secret.keyId,
    ],
  );
  if (!rows[0]) throw new Error('an insert gave no row');
  return shown(rows[0]);
}

export async function countWebhooks(db: Queryable, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from webhooks where workspace_id = $1',
    [workspaceId],
  );
  return rows[0]?.count ?? 0;
}

/** The webhook, or null; with `lock`, its row is held until the transaction ends. */
export async function findWebhook(
  db: Queryable,
  workspaceId: string,
  id: string,
  { lock = false } = {},
): Promise<WebhookRow | null> {
  const { rows } = await db.query<WebhookRow>(
    `select ${COLUMNS} from webhooks where workspace_id = $1 and webhook_id = $2 ${lock ? 'for no key update' : ''}`,
    [workspaceId, id],
  );
  return rows[0] ? shown(rows[0]) : null;
}

/** Webhooks in order of creation; bounds are exclusive. */
export async function selectWebhooks(
  db: Queryable,
  workspaceId: string,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<WebhookRow[]> {
  const { rows } = await db.query<WebhookRow>(
    `select ${COLUMNS} from webhooks
     where workspace_id = $1 and ($2::bigint is null or seq > $2) and ($3::bigint is null or seq < $3)
     order by seq ${page.descending ? 'desc' : 'asc'} limit $4`,
    [workspaceId, page.after, page.before, page.limit],
  );
  return rows.map(shown);
}

/** Changes a webhook; enabling it forgets what had failed. */
export async function updateWebhook(
  tx: Queryable,
  workspaceId: string,
  id: string,
  { status, disabled_reason, ...fields }: WebhookFields & Pick<Webhook, 'status' | 'disabled_reason'>,
): Promise<WebhookRow | null> {
  const { rows } = await tx.query<WebhookRow>(
    `update webhooks set url = $3, description = $4, projects = $5, types = $6, status = $7, disabled_reason = $8,
       failures = case when $7 = 'enabled' and status <> 'enabled' then 0 else failures end, updated_at = now()
     where workspace_id = $1 and webhook_id = $2 returning ${COLUMNS}`,
    [workspaceId, id, fields.url, fields.description, fields.projects, fields.types, status, disabled_reason],
  );
  return rows[0] ? shown(rows[0]) : null;
}

/** Gives a webhook another secret; the one before signs, too, for so many seconds. */
export async function rotateSecret(
  tx: Queryable,
  workspaceId: string,
  id: string,
  { secret, overlapSeconds }: { secret: StoredSecret; overlapSeconds: number },
): Promise<WebhookRow | null> {
  const { rows } = await tx.query<WebhookRow>(
    `update webhooks set previous_secret = secret, previous_key_id = secret_key_id,
       previous_until = now() + make_interval(secs => $5), secret = $3, secret_key_id = $4, updated_at = now()
     where workspace_id = $1 and webhook_id = $2 returning ${COLUMNS}`,
    [workspaceId, id, secret.bytes, secret.keyId, overlapSeconds],
  );
  return rows[0] ? shown(rows[0]) : null;
}

/** Removes a webhook with its deliveries; false when there is none. */
export async function deleteWebhook(tx: Queryable, workspaceId: string, id: string): Promise<boolean> {
  const key = [workspaceId, id];
  const { rowCount } = await tx.query(
    'delete from webhooks where workspace_id = $1 and webhook_id = $2',
    key,
  );
  await tx.query('delete from webhook_deliveries where workspace_id = $1 and webhook_id = $2', key);
  return rowCount > 0;
}
