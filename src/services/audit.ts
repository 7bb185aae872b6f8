import type { AuditEvent } from '../contract/audit.ts';
import type { List } from '../contract/list.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditRow,
  insertAuditEvents,
  selectAuditEvents,
} from '../db/audit.ts';
import type { Database, Queryable } from '../db/database.ts';
import { storableText } from '../text/storable.ts';
import { type PageRequest, readPage } from './page.ts';

const EVERY_MS = 1_000;
const MOST_PER_STATEMENT = 500;
/** Kept in memory while the database cannot be reached; beyond, the oldest are lost, and the log says how many. */
const MOST_KEPT = 50_000;
const EXPORT_PAGE = 1_000;

export interface AuditDeps {
  db: Database;
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
}

/** Writes what is done into the audit log, within the transaction that does it: to which workspace, and at which address. */
export type Witness = (tx: Queryable, act: { workspaceId: string; resource: string }) => Promise<void>;

/** Who acts from outside of a workspace, as that workspace is told it: by which key and from where is for the actor's own log. */
const OUTSIDER = { actor: 'service', actor_name: 'an administrator of the service', address: null };

const storable = (entry: AuditEntry): AuditEntry => ({ ...entry, resource: storableText(entry.resource) });

const shown = ({ seq: _, at, ...row }: AuditRow): AuditEvent => ({
  object: 'audit_event',
  at: at.toISOString(),
  ...row,
});

/**
 * The audit log. What is done to keys and workspaces is written in the transaction that does it. All else is collected in
 * memory and written apart from the requests, which do not wait for it; what could not be written is tried again with the
 * next.
 */
export function createAuditLog({ db, log }: AuditDeps) {
  let waiting: AuditEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function schedule(): void {
    timer ??= setTimeout(flush, EVERY_MS).unref();
  }

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const some = waiting.slice(0, MOST_PER_STATEMENT);
      try {
        await insertAuditEvents(db, some);
      } catch (err) {
        const lost = waiting.splice(0, Math.max(0, waiting.length - MOST_KEPT)).length;
        if (lost > 0) log.error({ err, lost }, 'audit events were lost');
        else log.warn({ err, waiting: waiting.length }, 'audit events could not be written yet');
        schedule();
        return;
      }
      waiting = waiting.slice(some.length);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  }

  return {
    add(entry: AuditEntry): void {
      waiting.push(storable(entry));
      schedule();
    },

    /** Stores an act with what it does: for the actor's workspace and, where that is another, for the one that it was done to. */
    write(tx: Queryable, entry: AuditEntry, workspaceId: string): Promise<void> {
      const own = storable(entry);
      const isOutside = workspaceId !== own.workspaceId;
      return insertAuditEvents(tx, isOutside ? [own, { ...own, ...OUTSIDER, workspaceId }] : [own]);
    },

    /** How many have not been written yet. */
    waiting: () => waiting.length,

    /** Writes what has been collected; never rejects. */
    flush,

    /** @throws AppError `invalid_cursor` */
    async list(workspaceId: string, filter: AuditFilter, page: PageRequest): Promise<List<AuditEvent>> {
      await flush();
      const found = await readPage(
        { of: 'audit_events', scope: { workspaceId }, within: JSON.stringify(filter) },
        page,
        (bounds) => selectAuditEvents(db, workspaceId, filter, bounds),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(shown) };
    },

    /** All of them, oldest first, read as they are taken. */
    async *all(workspaceId: string, filter: AuditFilter): AsyncGenerator<AuditEvent> {
      await flush();
      for (let after: string | null = null; ; ) {
        const bounds = { after, before: null, limit: EXPORT_PAGE, descending: false };
        const rows: AuditRow[] = await selectAuditEvents(db, workspaceId, filter, bounds);
        for (const row of rows) yield shown(row);
        after = rows.at(-1)?.seq ?? null;
        if (rows.length < EXPORT_PAGE) return;
      }
    },
  };
}

export type AuditLog = ReturnType<typeof createAuditLog>;
