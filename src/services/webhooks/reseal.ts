import type { Database } from '../../db/database.ts';
import { holdForeignSecrets, replaceSecrets, type WebhookSecrets } from '../../db/webhook-secrets.ts';
import type { StoredSecret } from '../../db/webhooks.ts';
import type { SecretStore } from './secrets.ts';

/**
 * Brings the secrets of webhooks that can be read to the active key, one webhook at a time, each in a transaction of its own, as
 * is done with originals. Those whose key is missing stay as they are.
 *
 * @param options.isStopped asked between two webhooks
 * @returns how many webhooks there were
 */
export async function resealSecrets(
  db: Database,
  secrets: SecretStore,
  { isStopped = () => false }: { isStopped?: () => boolean } = {},
): Promise<number> {
  let last: WebhookSecrets | null = null;
  let resealed = 0;
  while (!isStopped()) {
    const next: WebhookSecrets | null = await resealNext(db, secrets, last);
    if (!next) break;
    last = next;
    resealed += 1;
  }
  return resealed;
}

const resealNext = (
  db: Database,
  secrets: SecretStore,
  after: WebhookSecrets | null,
): Promise<WebhookSecrets | null> =>
  db.transaction(async (tx) => {
    const next = await holdForeignSecrets(tx, secrets, after);
    if (!next) return null;
    const anew = (stored: StoredSecret): StoredSecret =>
      secrets.isReadable(stored) ? secrets.sealed(next, secrets.opened(next, stored)) : stored;
    await replaceSecrets(tx, {
      ...next,
      secret: anew(next.secret),
      previous: next.previous && anew(next.previous),
    });
    return next;
  });
