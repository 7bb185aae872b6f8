import type { Database } from '../db/database.ts';
import {
  type Batch,
  deleteOldAudit,
  deleteOldDeliveries,
  deleteOldProjectEvents,
  deleteOldReceipts,
  deleteOldResearch,
  deleteOldResearchEvents,
  deleteOldTurnEvents,
  deleteOldTurns,
  deleteOldVersions,
} from '../db/retention.ts';

/** How long what is kept: in days, versions in their number; 0: for ever. */
export interface Retention {
  turnsDays: number;
  receiptsDays: number;
  eventsDays: number;
  researchDays: number;
  auditDays: number;
  /** What has changed in projects, for those who follow it. */
  feedDays: number;
  fileVersions: number;
  /** How many of the last turns of a project stay, however old: those that every prompt has, and the last one at least. */
  window: number;
}

/** What one statement removes at most: some milliseconds of work. */
const ROWS = 200;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what has grown old, a batch at a time, until there is no more.
 *
 * @param options.isStopped asked between two batches
 * @returns how much of what, without what there was none of
 */
export async function removeOld(
  db: Database,
  retention: Retention,
  { now = new Date(), isStopped = () => false }: { now?: Date; isStopped?: () => boolean } = {},
): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  async function all(what: string, kept: number, remove: (db: Database, batch: Batch) => Promise<number>) {
    if (kept === 0) return;
    const batch = { before: new Date(now.getTime() - kept * DAY_MS), limit: ROWS };
    for (let count = ROWS; count === ROWS && !isStopped(); ) {
      count = await remove(db, batch);
      if (count > 0) removed[what] = (removed[what] ?? 0) + count;
    }
  }
  const { fileVersions, window } = retention;
  await all('turns', retention.turnsDays, (tx, batch) =>
    deleteOldTurns(tx, { ...batch, window: Math.max(1, window) }),
  );
  await all('receipts', retention.receiptsDays, deleteOldReceipts);
  await all('turn events', retention.eventsDays, deleteOldTurnEvents);
  await all('research runs', retention.researchDays, deleteOldResearch);
  await all('research events', retention.eventsDays, deleteOldResearchEvents);
  await all('audit events', retention.auditDays, deleteOldAudit);
  await all('events of projects', retention.feedDays, deleteOldProjectEvents);
  await all('deliveries to webhooks', retention.feedDays, deleteOldDeliveries);
  await all('file versions', fileVersions, (tx, { limit }) =>
    deleteOldVersions(tx, { keep: fileVersions, limit }),
  );
  return removed;
}
