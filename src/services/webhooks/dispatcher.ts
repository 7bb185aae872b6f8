import { randomUUID } from 'node:crypto';
import { type ClaimedDelivery, claimDelivery } from '../../db/webhook-deliveries.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { createDeliverer, type DelivererDeps } from './deliver.ts';

export interface DispatcherDeps extends DelivererDeps {
  pollMs: number;
}

/** To as many webhooks at a time. */
const CONCURRENCY = 8;
/** Beyond the time that an attempt may take, for the statement that records it. */
const LEASE_MARGIN_SECONDS = 30;

/**
 * Sends what is due to webhooks. Deliveries are rows that were written with what they tell of, and are taken under a lease: those of a
 * process that has ended are made by another, so each is made at least once. They are no jobs of the queue, since those belong to
 * projects and go with them, while that a project was deleted is told after it.
 */
export function createDispatcher({ db, secrets, terms, pollMs, log }: DispatcherDeps) {
  const stopping = new AbortController();
  const make = createDeliverer({ db, secrets, terms, log }, stopping.signal);
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let started = false;

  function launch(delivery: ClaimedDelivery): void {
    const made = make(delivery)
      .catch((err: unknown) => log.warn({ err }, 'a delivery could not be recorded, and is made again'))
      .finally(() => {
        underWay.delete(made);
        dispatch();
      });
    underWay.add(made);
  }

  let claiming: Promise<unknown> = Promise.resolve();
  const dispatch = oneAtATime(async () => {
    try {
      while (started && underWay.size < CONCURRENCY) {
        const leaseSeconds = terms.timeoutMs / 1_000 + LEASE_MARGIN_SECONDS;
        // each attempt by a name of its own: one of a delivery that was sent once more meanwhile is no longer told of
        const claimed = claimDelivery(db, randomUUID(), leaseSeconds);
        claiming = claimed.catch(() => undefined);
        const delivery = await claimed;
        if (!delivery) return;
        launch(delivery);
      }
    } catch (err) {
      log.warn({ err }, 'deliveries to webhooks could not be looked for');
    }
  });

  return {
    start(): void {
      started = true;
      timer = setInterval(() => dispatch(), pollMs);
      dispatch();
    },

    /** Looks for what is due now instead of at the next poll. */
    nudge(): void {
      if (started) dispatch();
    },

    /** Begins none any more, gives those under way so long, then breaks them off. */
    async stop(graceMs: number): Promise<void> {
      started = false;
      clearInterval(timer);
      const grace = setTimeout(() => stopping.abort(new Error('the service is stopping')), graceMs);
      await claiming;
      await Promise.all(underWay);
      clearTimeout(grace);
    },
  };
}

export type Dispatcher = ReturnType<typeof createDispatcher>;
