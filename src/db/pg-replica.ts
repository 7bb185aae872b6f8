import { setTimeout as wait } from 'node:timers/promises';
import type { Connections, QueryResult } from './database.ts';
import { createConnections, type PgConnectionOptions } from './pg-connections.ts';
import { createConfinement, run, together } from './pg-statements.ts';
import { beginConfined } from './row-security.ts';

/** A place in the log of changes of a Postgres server (`pg_lsn`), as text: all that was committed before it stands before it. */
export type LogPosition = string;

/** Standbys of a server, each of which has replayed its changes up to some position. */
export interface Replica {
  /** Which server's they are (`system_identifier`), or null where what answers is no standby. */
  replicates(): Promise<string | null>;
  /** Waits until one has replayed so much. False: none had after `waitMs`. */
  reach(position: LogPosition, waitMs: number): Promise<boolean>;
  /**
   * What a standby answers that has replayed so much, and how far it was; null: the one that was asked had not. Each statement is
   * checked in one transaction with it, so that there may be several standbys behind one address.
   */
  query<R>(
    sql: string,
    params: readonly unknown[] | undefined,
    position: LogPosition,
  ): Promise<{ result: QueryResult<R>; position: LogPosition } | null>;
  connections(): Connections;
  close(): Promise<void>;
}

export interface PgReplicaOptions extends PgConnectionOptions {
  /** As of the server itself. */
  prepare?: boolean;
}

interface Replayed {
  has_replayed: boolean;
  position: LogPosition;
}

const HAS_REPLAYED = `
  select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as has_replayed, pg_last_wal_replay_lsn()::text as position`;
const REPLICATES = `
  select case when pg_is_in_recovery() then (select system_identifier::text from pg_control_system()) end as system`;

/** Waited for more: a standby that hangs is left alone. */
const ANSWER_MS = 1_000;
/** Between two looks; on one network a standby is a few milliseconds behind. */
const LOOK_MS = 3;

/** A pool of connections to standbys of a server. */
export function openPgReplica(options: PgReplicaOptions): Replica {
  const connections = createConnections(options);
  const isConfinedOn = createConfinement();
  const plain = { prepare: false, progress: 'uncommitted' } as const;
  const terms = () => ({ ...plain, prepare: options.prepare ?? !connections.areShared() });

  return {
    replicates: () =>
      connections.with(async (client) => {
        const { rows } = await run<{ system: string | null }>(
          client,
          { ...plain, answerTimeoutMs: ANSWER_MS },
          REPLICATES,
        );
        return rows[0]?.system ?? null;
      }),

    reach: (position, waitMs) =>
      connections.with(async (client) => {
        const looking = { ...terms(), answerTimeoutMs: ANSWER_MS };
        const until = performance.now() + waitMs;
        while (true) {
          const { rows } = await run<Replayed>(client, looking, HAS_REPLAYED, [position]);
          if (rows[0]?.has_replayed) return true;
          if (performance.now() + LOOK_MS > until) return false;
          await wait(LOOK_MS);
        }
      }),

    query: <R>(sql: string, params: readonly unknown[] | undefined, position: LogPosition) =>
      connections.with(async (client) => {
        const isConfined = await isConfinedOn(client);
        // all are on their way at once: the statement sees what had been replayed when its forerunner was answered, or more
        const [, looked, answered] = await together([
          run(client, plain, connections.begin(isConfined ? beginConfined('begin') : 'begin')),
          run<Replayed>(client, terms(), HAS_REPLAYED, [position]),
          run<R>(client, terms(), sql, params),
          run(client, plain, 'commit'),
        ]);
        const [standby] = looked.rows;
        return standby?.has_replayed ? { result: answered, position: standby.position } : null;
      }),

    connections: connections.counts,
    close: connections.close,
  };
}
