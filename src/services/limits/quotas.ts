import { randomUUID } from 'node:crypto';
import type { QuotaName, Quotas, WorkspaceUsage } from '../../contract/quota.ts';
import type { Database, Queryable } from '../../db/database.ts';
import {
  HELD,
  type Held,
  type HeldName,
  holdQuotas,
  keepQuotas,
  selectHeld,
  selectQuotas,
} from '../../db/quotas.ts';
import { countRunning } from '../../db/running.ts';
import {
  type HeldRoom,
  insertRoom,
  type RoomTaken,
  selectHeldRoom,
  takeFromRoom,
} from '../../db/upload-room.ts';
import { workspaceNotFound } from '../../errors.ts';
import type { Concurrency } from './concurrency.ts';
import { quotaExceeded } from './quota-exceeded.ts';
import { spendingOf } from './spending.ts';

export interface QuotaDeps {
  db: Database;
  /** Those of workspaces that have none of their own. */
  defaults: Quotas;
  /** What each workspace may have under way. */
  concurrency: Concurrency;
  /** Writes what is known of spending and not written yet. */
  queryUsage: { flush(): Promise<void> };
}

/** Whether room for it is held while it is uploaded. */
const isUploaded = (name: HeldName): boolean => name === 'files' || name === 'bytes';

/** Refuses what a workspace has no room for, within the transaction that stores it. */
function roomOf(tx: Queryable, workspaceId: string, quotas: Quotas) {
  async function compare(names: HeldName[], adding: Partial<Held>): Promise<void> {
    const held = await selectHeld(tx, workspaceId, names);
    // what is being uploaded by others is as good as stored
    const coming: Partial<Held> = names.some(isUploaded) ? await selectHeldRoom(tx, workspaceId) : {};
    for (const name of names) {
      const limit = quotas[name];
      const used = held[name] + (coming[name] ?? 0);
      if (limit !== null && used + (adding[name] ?? 0) > limit) throw quotaExceeded(name, { used, limit });
    }
  }

  const limitedOf = (adding: Partial<Held>): HeldName[] =>
    HELD.filter((name) => quotas[name] !== null && (adding[name] ?? 0) > 0);

  return {
    /**
     * Refuses early, before it is stored.
     *
     * @param held what it takes is taken from this
     * @throws AppError `quota_exceeded`
     */
    async assertRoomFor(adding: Partial<Held>, held?: HeldRoom | null): Promise<void> {
      if (held) await takeFromRoom(tx, held, { files: 0, bytes: 0, ...adding });
      const names = limitedOf(adding);
      if (names.length > 0) await compare(names, adding);
    },

    /**
     * Holds room for what is stored in later transactions, each of which takes its part of it.
     *
     * @returns null where nothing limits it
     * @throws AppError `quota_exceeded`
     */
    async hold(adding: RoomTaken, seconds: number): Promise<HeldRoom | null> {
      const names = limitedOf(adding);
      if (names.length === 0) return null;
      await holdQuotas(tx, workspaceId);
      await compare(names, adding);
      const room = { workspaceId, roomId: randomUUID() };
      await insertRoom(tx, room, adding, seconds);
      return room;
    },

    /**
     * Refuses what was stored, at the end of its transaction. The others that store wait until then, so that none of those
     * that do at once goes beyond.
     *
     * @throws AppError `quota_exceeded`
     */
    async assertKept(...stored: HeldName[]): Promise<void> {
      const names = stored.filter((name) => quotas[name] !== null);
      if (names.length === 0) return;
      await holdQuotas(tx, workspaceId);
      await compare(names, {});
    },
  };
}

/** What the workspaces may hold, and what they do. */
export function createQuotas({ db, defaults, concurrency, queryUsage }: QuotaDeps) {
  function effective(workspaceId: string, own: Partial<Quotas> | null): Quotas {
    if (!own) throw workspaceNotFound(workspaceId);
    return { ...defaults, ...own };
  }

  /** @throws AppError `workspace_not_found` */
  const of = async (workspaceId: string): Promise<Quotas> =>
    effective(workspaceId, await selectQuotas(db, workspaceId));

  return {
    of,

    /** Those of workspaces that have none of their own. */
    defaults,

    /**
     * For a transaction that stores something, before it does anything else.
     *
     * @throws AppError `workspace_not_found`
     */
    room: async (tx: Queryable, workspaceId: string) =>
      roomOf(tx, workspaceId, effective(workspaceId, await keepQuotas(tx, workspaceId))),

    /** @throws AppError `workspace_not_found` */
    async usage(workspaceId: string): Promise<WorkspaceUsage> {
      await queryUsage.flush();
      const [limits, held, running, { tokens, usd, resetsAt }] = await Promise.all([
        of(workspaceId),
        selectHeld(db, workspaceId, HELD),
        countRunning(db, workspaceId),
        spendingOf(db, workspaceId),
      ]);
      const used = { ...held, tokens_per_month: tokens, usd_per_month: usd };
      const use = (name: QuotaName) => ({ used: used[name], limit: limits[name] });
      return {
        object: 'workspace_usage',
        workspace: workspaceId,
        projects: use('projects'),
        files: use('files'),
        bytes: use('bytes'),
        keys: use('keys'),
        concurrent_turns: { used: running.turns, limit: concurrency.turns || null },
        concurrent_research: { used: running.research, limit: concurrency.research || null },
        tokens_per_month: use('tokens_per_month'),
        usd_per_month: use('usd_per_month'),
        resets_at: resetsAt.toISOString(),
      };
    },
  };
}

export type QuotaService = ReturnType<typeof createQuotas>;
