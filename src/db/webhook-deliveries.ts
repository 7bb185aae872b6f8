import type { WebhookAttempt, WebhookDelivery } from '../contract/webhook.ts';
import { jsonParam } from '../text/storable.ts';
import type { Database, Queryable } from './database.ts';
import { askNodes, isOnCluster, mayFind } from './distribution/nodes.ts';
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

// on a cluster a row has a project: that of a test, which is about none, is empty there
const COLUMNS = `seq, webhook_id, nullif(project_id, '') as project_id, event, status, attempts, log, run_at, created_at`;
const OF_DELIVERY = 'workspace_id = $1 and webhook_id = $2 and seq = $3';

/** Adds a delivery that no change has asked for. */
export async function insertDelivery(
  db: Queryable,
  workspaceId: string,
  webhookId: string,
  event: DeliveredEvent,
): Promise<DeliveryRow> {
  const { rows } = await db.query<DeliveryRow>(
    `insert into webhook_deliveries (workspace_id, webhook_id, project_id, event) values ($1, $2, '', $3) returning ${COLUMNS}`,
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
  db: Database,
  holder: string,
  leaseSeconds: number,
): Promise<ClaimedDelivery | null> {
  if (await isOnCluster(db)) return claimOnCluster(db, holder, leaseSeconds);
  const { rows } = await db.query<ClaimedRow>(
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
     returning ${CLAIMED}`,
    [holder, leaseSeconds],
  );
  return rows[0] ? toClaimed(rows[0], holder) : null;
}

const CLAIMED = `d.workspace_id, d.webhook_id, d.seq, nullif(d.project_id, '') as project_id, d.event, d.attempts, d.log, w.url,
  w.secret, w.secret_key_id, w.previous_secret, w.previous_key_id, w.previous_until`;

interface ClaimedRow {
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
  previous_until: Date | null;
}

function toClaimed(row: ClaimedRow, holder: string): ClaimedDelivery {
  const { workspace_id, webhook_id, project_id, secret, secret_key_id, previous_secret, previous_key_id } =
    row;
  const secrets = [{ bytes: secret, keyId: secret_key_id }];
  const isPreviousValid = row.previous_until !== null && row.previous_until.getTime() > Date.now();
  if (previous_secret && isPreviousValid) secrets.push({ bytes: previous_secret, keyId: previous_key_id });
  const { seq, event, attempts, log, url } = row;
  const of = { workspaceId: workspace_id, webhookId: webhook_id, projectId: project_id };
  return { ...of, seq, event, attempts, log, url, secrets, lockedBy: holder };
}

/** A delivery that is due first of its webhook on its node. */
interface DueDelivery {
  workspace: string;
  webhook: string;
  project: string;
  seq: string;
  attempts: number;
  /** In seconds since 1970. */
  run_at: number;
}

/** What one node answers: deliveries that are due, and the webhooks that have one under way. */
interface DueOnNode {
  due: DueDelivery[];
  held: [string, string][];
}

const ANY_DUE = `select 1 from webhook_deliveries where status = 'pending' and run_at <= now()
  and (locked_until is null or locked_until < now()) limit 1`;

const nameOf = (workspace: string, webhook: string): string => JSON.stringify([workspace, webhook]);

/**
 * The same on a cluster, where the deliveries of a webhook are on several nodes: each is asked what is due and what is under way, one
 * process at a time, since a webhook has one delivery under way; what is due first is taken by its key. A node that is down has none.
 */
async function claimOnCluster(
  db: Database,
  holder: string,
  leaseSeconds: number,
): Promise<ClaimedDelivery | null> {
  if (!(await mayFind(db, ANY_DUE))) return null;
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('forge: claim of a delivery', 0))`);
    const nodes = await askNodes<DueOnNode>(tx, 'select due_deliveries_here()');
    const held = new Set(
      nodes.flatMap((node) => node.held.map(([workspace, hook]) => nameOf(workspace, hook))),
    );
    const due = nodes
      .flatMap((node) => node.due)
      .filter(({ workspace, webhook }) => !held.has(nameOf(workspace, webhook)))
      .sort((a, b) => a.run_at - b.run_at || (BigInt(a.seq) < BigInt(b.seq) ? -1 : 1));
    for (const first of due) {
      const { rows } = await tx.query<ClaimedRow>(
        `update webhook_deliveries d set attempts = d.attempts + 1, locked_by = $1,
           locked_until = now() + make_interval(secs => $2)
         from webhooks w
         where w.workspace_id = d.workspace_id and w.webhook_id = d.webhook_id and w.status = 'enabled'
           and d.workspace_id = $3 and d.webhook_id = $4 and d.seq = $5 and d.project_id = $6 and d.attempts = $7
           and d.status = 'pending'
         returning ${CLAIMED}`,
        [holder, leaseSeconds, first.workspace, first.webhook, first.seq, first.project, first.attempts],
      );
      if (rows[0]) return toClaimed(rows[0], holder);
    }
    return null;
  });
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
     where ${OF_DELIVERY} and locked_by = $4 and attempts = $5
       and ${delivery.projectId === null ? `coalesce(project_id, '')` : 'project_id'} = $9`,
    [
      delivery.workspaceId,
      delivery.webhookId,
      delivery.seq,
      delivery.lockedBy,
      delivery.attempts,
      status,
      jsonParam(log),
      delaySeconds,
      delivery.projectId ?? '',
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
