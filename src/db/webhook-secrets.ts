import type { Queryable } from './database.ts';
import type { StoredSecret } from './webhooks.ts';

/** The secrets of a webhook. */
export interface WebhookSecrets {
  workspaceId: string;
  webhookId: string;
  secret: StoredSecret;
  /** The one before, while it signs, too. */
  previous: StoredSecret | null;
}

/** A place in the order of webhooks. */
type Place = Pick<WebhookSecrets, 'workspaceId' | 'webhookId'>;

const OTHER_KEY = (column: string): string =>
  `(${column} is distinct from $1 and (${column} is null or ${column} = any ($2::text[])))`;

/**
 * The next webhook behind `after` with a secret that is not encrypted with the active key and can be read, its row held until
 * the transaction ends; null when there is none. Those that another process holds are passed over.
 *
 * @param keys.active null: secrets are to be stored as they are
 * @param keys.known the keys that there are
 */
export async function holdForeignSecrets(
  tx: Queryable,
  keys: { active: string | null; known: readonly string[] },
  after: Place | null,
): Promise<WebhookSecrets | null> {
  const { rows } = await tx.query<{
    workspace_id: string;
    webhook_id: string;
    secret: Buffer;
    secret_key_id: string | null;
    previous: Buffer | null;
    previous_key_id: string | null;
  }>(
    `select workspace_id, webhook_id, secret, secret_key_id, previous_key_id,
       case when previous_until > now() then previous_secret end as previous
     from webhooks
     where (${OTHER_KEY('secret_key_id')} or previous_until > now() and ${OTHER_KEY('previous_key_id')})
       and (workspace_id, webhook_id) > ($3, $4)
     order by workspace_id, webhook_id limit 1 for no key update skip locked`,
    [keys.active, [...keys.known], after?.workspaceId ?? '', after?.webhookId ?? ''],
  );
  const row = rows[0];
  if (!row) return null;
  return {
    workspaceId: row.workspace_id,
    webhookId: row.webhook_id,
    secret: { bytes: row.secret, keyId: row.secret_key_id },
    previous: row.previous && { bytes: row.previous, keyId: row.previous_key_id },
  };
}

/** Stores the secrets of a webhook in another way; what they are stays as it was. */
export async function replaceSecrets(tx: Queryable, webhook: WebhookSecrets): Promise<void> {
  const { workspaceId, webhookId, secret, previous } = webhook;
  await tx.query(
    `update webhooks set secret = $3, secret_key_id = $4, previous_secret = $5, previous_key_id = $6
     where workspace_id = $1 and webhook_id = $2`,
    [workspaceId, webhookId, secret.bytes, secret.keyId, previous?.bytes ?? null, previous?.keyId ?? null],
  );
}
