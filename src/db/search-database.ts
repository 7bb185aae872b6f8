import type { Connections, Database, Queryable } from './database.ts';
import { endsConnection } from './failures.ts';
import type { LogPosition, Replica } from './pg-replica.ts';

/** How a search was served: by a replica; by the server itself, since the replica was behind or there was trouble with it. */
export type ReplicaOutcome = 'served' | 'behind' | 'failed';

/** Where searches read. */
export interface SearchDatabase {
  /**
   * A database to read one search from: it has everything that was committed before the call, by whichever process, so that
   * whoever has written something finds it. Not to be kept for the next search.
   */
  current(): Promise<Queryable>;
  /** Of the replica; left out where there is none. */
  connections?(): Connections;
  close(): Promise<void>;
}

export interface ReplicaTerms {
  /** Told of each search, and once more of one that has trouble on its way. */
  onOutcome?: (outcome: ReplicaOutcome) => void;
  /** Told of trouble with the replica, and that it is over. */
  outages?: { failed(error: unknown): void; succeeded(): void };
  /** Milliseconds; default: the clock. */
  now?: () => number;
}

/** Longer than a standby on the same network is behind, and short beside what a search takes on a server that has much to do. */
const WAIT_MS = 25;
/** After trouble with the replica, searches leave it alone for so long. */
const PAUSE_MS = 5_000;

/**
 * Where an answer to a write has been sent, the position is that of the log on the disk; without the wait for the disk, it is what
 * is written at all. Never a position that others are only writing up to: a standby reaches this one with what it is sent anyway.
 */
const POSITION = `
  select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn()
    end::text as position`;

const SYSTEM = 'select system_identifier::text as system from pg_control_system()';

/** Of two positions the later one; they are written as two hexadecimal numbers. */
function laterOf(a: LogPosition, b: LogPosition): LogPosition {
  const [high = 0, low = 0] = a.split('/').map((part) => Number.parseInt(part, 16));
  const [otherHigh = 0, otherLow = 0] = b.split('/').map((part) => Number.parseInt(part, 16));
  return otherHigh > high || (otherHigh === high && otherLow > low) ? b : a;
}

/** Searches read from the database itself. */
export const searchDatabaseOf = (db: Queryable): SearchDatabase => ({
  current: async () => db,
  close: async () => undefined,
});

/**
 * Searches read from standbys of the database's server where these are up to date, and else from the server itself: a standby
 * that is behind is given a moment, and every statement that it fails is asked of the server.
 */
export function createReplicaReads(
  db: Database,
  replica: Replica,
  { onOutcome, outages, now = () => performance.now() }: ReplicaTerms = {},
): SearchDatabase {
  let pausedUntil = 0;
  let isKnown = false;

  function failed(error: unknown): void {
    pausedUntil = now() + PAUSE_MS;
    // another server may answer from now on
    isKnown = false;
    outages?.failed(error);
    onOutcome?.('failed');
  }

  /** @throws Error when what answers is not a standby of this server */
  async function assertReplicates(): Promise<void> {
    if (isKnown) return;
    const [theirs, own] = await Promise.all([
      replica.replicates(),
      db.query<{ system: string }>(SYSTEM).then(({ rows }) => rows[0]?.system),
    ]);
    if (theirs === null) throw new Error('DATABASE_READ_URL names a server that is no standby');
    if (theirs !== own) throw new Error('DATABASE_READ_URL names a standby of another server');
    isKnown = true;
  }

  /** For one search: each statement sees what those before it have seen, or more, whichever standby answers. */
  function reading(from: LogPosition): Queryable {
    let position = from;
    let isLeft = false;
    return {
      async query<R>(sql: string, params?: readonly unknown[]) {
        if (!isLeft && now() >= pausedUntil) {
          try {
            const answered = await replica.query<R>(sql, params, position);
            if (answered) {
              position = laterOf(position, answered.position);
              return answered.result;
            }
          } catch (error) {
            // what is the statement's own fault, or was in the way of changes, says nothing against the standby
            if (endsConnection(error)) failed(error);
          }
          // the server is ahead of every standby
          isLeft = true;
        }
        return db.query<R>(sql, params);
      },
    };
  }

  return {
    async current() {
      if (now() < pausedUntil) {
        onOutcome?.('failed');
        return db;
      }
      const { rows } = await db.query<{ position: LogPosition }>(POSITION);
      const position = rows[0]?.position ?? '';
      try {
        await assertReplicates();
        const isThere = await replica.reach(position, WAIT_MS);
        outages?.succeeded();
        onOutcome?.(isThere ? 'served' : 'behind');
        return isThere ? reading(position) : db;
      } catch (error) {
        failed(error);
        return db;
      }
    },
    connections: replica.connections,
    close: replica.close,
  };
}
