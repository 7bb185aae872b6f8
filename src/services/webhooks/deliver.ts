import type { WebhookAttempt } from '../../contract/webhook.ts';
import type { Database } from '../../db/database.ts';
import { type ClaimedDelivery, noteOutcome, settleDelivery } from '../../db/webhook-deliveries.ts';
import { version } from '../../version.ts';
import { type SecretStore, signedHeaders } from './secrets.ts';
import { type SendResult, send } from './send.ts';
import { deliveryId, messageBody } from './shown.ts';

/** How deliveries are made. */
export interface DeliveryTerms {
  timeoutMs: number;
  allowPrivate: boolean;
  /** Attempts at a delivery, after which it is given up. */
  attempts: number;
  /** Before the second attempt; four times as long before each further one. */
  retrySeconds: number;
}

export interface DelivererDeps {
  /** Of all workspaces. */
  db: Database;
  secrets: SecretStore;
  terms: DeliveryTerms;
  log: { warn(details: object, message: string): void };
}

const LONGEST_DELAY_SECONDS = 6 * 3_600;
/** Deliveries that are given up one after another before their webhook is disabled. */
const MOST_FAILURES = 5;
const MOST_LOGGED = 20;
const GONE = 410;

/** Seconds before the next attempt: four times as long from one to the next, and up to a fifth more or less. */
export function deliveryDelay(attempts: number, retrySeconds: number, random = Math.random()): number {
  const delay = Math.min(LONGEST_DELAY_SECONDS, retrySeconds * 4 ** (attempts - 1));
  return delay * (0.8 + 0.4 * random);
}

/**
 * Makes an attempt at a delivery, and records how it has ended.
 *
 * @param stopping breaks off what is under way, which is then due again
 */
export function createDeliverer({ db, secrets, terms, log }: DelivererDeps, stopping: AbortSignal) {
  async function attempt(delivery: ClaimedDelivery): Promise<SendResult> {
    let opened: Buffer[];
    try {
      opened = delivery.secrets.map((secret) => secrets.opened(delivery, secret));
    } catch (err) {
      log.warn({ err, webhook: delivery.webhookId }, 'the secret of a webhook could not be opened');
      return { statusCode: null, error: 'the secret of the webhook cannot be read', retryAfterSeconds: 0 };
    }
    const body = messageBody(delivery);
    const signed = signedHeaders(opened, { id: deliveryId(delivery.seq), at: new Date(), body });
    const headers = { 'user-agent': `Forge-Webhooks/${version}`, ...signed };
    return send(delivery.url, { headers, body }, { ...terms, signal: stopping });
  }

  async function settle(delivery: ClaimedDelivery, result: SendResult, made: WebhookAttempt): Promise<void> {
    const delivered = result.error === null;
    const gone = result.statusCode === GONE;
    const isOver = delivered || gone || delivery.attempts >= terms.attempts;
    const status = delivered ? 'delivered' : isOver ? 'failed' : 'pending';
    const delaySeconds = Math.max(
      deliveryDelay(delivery.attempts, terms.retrySeconds),
      result.retryAfterSeconds,
    );
    const kept = [...delivery.log, made].slice(-MOST_LOGGED);
    await db.transaction(async (tx) => {
      const settled = { status, delaySeconds: isOver ? 0 : delaySeconds, log: kept } as const;
      if (!(await settleDelivery(tx, delivery, settled)) || !isOver) return;
      await noteOutcome(tx, delivery, { delivered, gone, mostFailures: MOST_FAILURES });
    });
  }

  return async function make(delivery: ClaimedDelivery): Promise<void> {
    const at = new Date();
    const from = performance.now();
    const result = await attempt(delivery);
    if (stopping.aborted && result.statusCode === null) {
      // what the stop has broken off is for another process, at once
      await settleDelivery(db, delivery, { status: 'pending', delaySeconds: 0, log: delivery.log });
      return;
    }
    const ms = Math.round(performance.now() - from);
    const { statusCode: status_code, error } = result;
    await settle(delivery, result, { at: at.toISOString(), status_code, ms, error });
  };
}
