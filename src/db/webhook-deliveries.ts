import type { WebhookAttempt, WebhookDelivery } from '../contract/webhook.ts';
import { jsonParam } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import type { StoredSecret } from './webhooks.ts';

/** What a delivery sends: an event as it was told, or a test. */
export interface DeliveredEvent {
  seq: number;
  type: string;
  subject: Record<string, string | number>;
  at: string;
}

export interface DeliveryRow {
  seq: string;
  webhook_id: string;
  project_id: string | null;
  event: DeliveredEvent;
  status: WebhookDelivery['status'];
  attempts: number;
  log: WebhookAttempt[];
  run_at: Date;
  created_at: Date;
}

const COLUMNS = 'seq, webhook_id, project_id, event, status, attempts, log, run_at, created_at';
const OF_DELIVERY = 'workspace_id = $1 and webhook_id = $2 and seq = $3';

/** Adds a delivery that no change has asked for. */
export async function insertDelivery(
  db: Queryable,
  workspaceId: string,
  webhookId: string,
  event: DeliveredEvent,
): Promise<DeliveryRow> {
  const { rows } = await db.query<DeliveryRow>(
    `insert into webhook_deliveries (workspace_id, webhook_id, event) values ($1, $2, $3) returning ${COLUMNS}`,
    [workspaceId, webhookId, jsonParam(event)],
  );
  if (!rows[0]) throw new Error('an insert gave no row');
  return rows[0];
}

/** Deliveries of a webhook in order; bounds are exclusive. */
export async function selectDeliveries(
  db: Queryable,
  of: { workspaceId: string; webhookId: string; status: WebhookDelivery['status'] | null },
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>(
    `select ${COLUMNS} from webhook_deliveries
     where workspace_id = $1 and webhook_id = $2 and ($3::text is null or status = $3)
       and ($4::bigint is null or seq > $4) and ($5::bigint is null or seq < $5)
     order by seq ${page.descending ? 'desc' : 'asc'} limit $6`,
    [of.workspaceId, of.webhookId, of.status, page.after, page.before, page.limit],
  );
  return rows;
}

/** Has a delivery made once more, as if it had never been tried; null when there is none. */
export async function retryDelivery(
  db: Queryable,
  workspaceId: string,
  webhookId: string,
  seq: string,
): Promise<DeliveryRow | null> {
  const { rows } = await db.query<DeliveryRow>(
    `update webhook_deliveries set status = 'pending', attempts = 0, run_at = now(), locked_by = null, locked_until = null
     where ${OF_DELIVERY} returning ${COLUMNS}`,
    [workspaceId, webhookId, seq],
  );
  return rows[0] ?? null;
}

/** A delivery that is this process's to make. */
export interface ClaimedDelivery {
  workspaceId: string;
  webhookId: string;
  seq: string;
  projectId: string | null;
  event: DeliveredEvent;
  attempts: number;
  log: WebhookAttempt[];
  url: string;
  /** The present one, and the one before while it signs, too. */
  secrets: StoredSecret[];
  lockedBy: string;
}

/**
 * Takes the delivery that is due first of some webhook that has none under way: messages of one come one after another, in their
 * order where none had to be tried again. One whose lease has run out is due again. Null when none is due.
 */
export async function claimDelivery(
  db: Queryable,
  holder: string,
  leaseSeconds: number,
): Promise<ClaimedDelivery | null> {
  const { rows } = await db.query<{
    workspace_id: string;
    webhook_id: string;
    seq: string;
    project_id: string | null;
    event: DeliveredEvent;
    attempts: number;
    log: WebhookAttempt[];
    url: string;
    secret: Buffer;
    secret_key_id: string | null;
    previous_secret: Buffer | null;
    previous_key_id: string | null;
  }>(
    `update webhook_deliveries d set attempts = d.attempts + 1, locked_by = $1,
       locked_until = now() + make_interval(secs => $2)
     from webhooks w
     where w.workspace_id = d.workspace_id and w.webhook_id = d.webhook_id
       and (d.workspace_id, d.webhook_id, d.seq) = (
         select c.workspace_id, c.webhook_id, c.seq from webhooks h, lateral (
             select n.workspace_id, n.webhook_id, n.seq, n.run_at from webhook_deliveries n
             where n.workspace_id = h.workspace_id and n.webhook_id = h.webhook_id and n.status = 'pending'
               and n.run_at <= now() and (n.locked_until is null or n.locked_until < now())
             order by n.run_at, n.seq limit 1) first
           join webhook_deliveries c using (workspace_id, webhook_id, seq)
         where h.status = 'enabled' and not exists (
           select from webhook_deliveries u where u.workspace_id = h.workspace_id and u.webhook_id = h.webhook_id
             and u.status = 'pending' and u.locked_until >= now())
           and c.status = 'pending' and (c.locked_until is null or c.locked_until < now())
         order by first.run_at, first.seq limit 1 for update of c skip locked)
     returning d.workspace_id, d.webhook_id, d.seq, d.project_id, d.event, d.attempts, d.log, w.url, w.secret,
       w.secret_key_id, case when w.previous_until > now() then w.previous_secret end as previous_secret, w.previous_key_id`,
    [holder, leaseSeconds],
  );
  const row = rows[0];
  if (!row) return null;
  const { workspace_id, webhook_id, project_id, secret, secret_key_id, previous_secret, previous_key_id } =
    row;
  const secrets = [{ bytes: secret, keyId: secret_key_id }];
  if (previous_secret) secrets.push({ bytes: previous_secret, keyId: previous_key_id });
  const { seq, event, attempts, log, url } = row;
  const of = { workspaceId: workspace_id, webhookId: webhook_id, projectId: project_id };
  return { ...of, seq, event, attempts, log, url, secrets, lockedBy: holder };
}

/** How an attempt has ended. */
export interface SettledAttempt {
  status: WebhookDelivery['status'];
  /** Of a delivery that is still pending: seconds until it is tried again. */
  delaySeconds: number;
  /** All attempts that are kept, this one the last. */
  log: readonly WebhookAttempt[];
}

/** Records an attempt; false when the delivery is no longer this process's. */
export async function settleDelivery(
  tx: Queryable,
  delivery: ClaimedDelivery,
  { status, delaySeconds, log }: SettledAttempt,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update webhook_deliveries set status = $6, log = $7::jsonb, locked_by = null, locked_until = null,
       run_at = now() + make_interval(secs => $8)
     where ${OF_DELIVERY} and locked_by = $4 and attempts = $5`,
    [
      delivery.workspaceId,
      delivery.webhookId,
      delivery.seq,
      delivery.lockedBy,
      delivery.attempts,
      status,
      jsonParam(log),
      delaySeconds,
    ],
  );
  return rowCount > 0;
}

/** Counts deliveries that were given up one after another, and disables a webhook with so many of them, or whose receiver is gone. */
export async function noteOutcome(
  tx: Queryable,
  { workspaceId, webhookId }: ClaimedDelivery,
  outcome: { delivered: boolean; gone: boolean; mostFailures: number },
): Promise<void> {
  if (outcome.delivered) {
    await tx.query(
      'update webhooks set failures = 0 where workspace_id = $1 and webhook_id = $2 and failures > 0',
      [workspaceId, webhookId],
    );
    return;
  }
  await tx.query(
    `update webhooks set failures = failures + 1,
       status = case when $3 or failures + 1 >= $4 then 'disabled' else status end,
       disabled_reason = case when $3 then 'gone' when failures + 1 >= $4 then 'failing' else disabled_reason end,
       updated_at = now()
     where workspace_id = $1 and webhook_id = $2 and status = 'enabled'`,
    [workspaceId, webhookId, outcome.gone, outcome.mostFailures],
  );
}
