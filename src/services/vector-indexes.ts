import type { Database } from '../db/database.ts';
import { isOnCluster } from '../db/distribution/nodes.ts';
import {
  dropVectorIndexSql,
  LEAST_INDEXED,
  ownsVectors,
  selectLargeProjects,
  selectVectorIndexes,
  vectorIndexName,
  vectorIndexSql,
} from '../db/vector-indexes.ts';

export interface VectorIndexDeps {
  /** All workspaces of it. */
  db: Database;
  /** A connection of the tables' owner whose statements may take any time; it is closed when the work is done. */
  open(): Database;
  /** Projects of more leaves to search have an index, at least `LEAST_INDEXED`; 0: none has. */
  fromLeaves: number;
  dimensions: number;
}

/** What was done, by the names of indexes. */
export interface KeptIndexes {
  built: string[];
  dropped: string[];
  /** What is left to the owner of the tables: the role may not. */
  left: string[];
}

/** Seen by all instances: one of them builds at a time. */
const LOCK = 'forge: indexes of vectors';

/**
 * Gives each large project the approximate index of its vectors, one after the other beside those who read and write, and drops
 * those of projects that are gone, have shrunk, or have vectors of another model. One that was not built to its end, because the
 * process or the server was stopped, is built anew. Nothing is done while another instance is at it. On a cluster there are none: an
 * index of one project would be one on every part of the table, and each node compares what it has.
 *
 * @param options.isDry only says what would be done
 * @param options.signal ends the one that is being built
 */
export async function keepVectorIndexes(
  { db, open, fromLeaves, dimensions }: VectorIndexDeps,
  { isDry = false, signal }: { isDry?: boolean; signal?: AbortSignal } = {},
): Promise<KeptIndexes> {
  const [projects, present] = await Promise.all([
    fromLeaves > 0 && !(await isOnCluster(db))
      ? selectLargeProjects(db, Math.max(LEAST_INDEXED, fromLeaves))
      : [],
    selectVectorIndexes(db),
  ]);
  const wanted = new Map(projects.map((scope) => [vectorIndexName(scope, dimensions), scope]));
  const valid = new Set(present.filter(({ isValid }) => isValid).map(({ name }) => name));
  const dropped = present.map(({ name }) => name).filter((name) => !wanted.has(name) || !valid.has(name));
  const missing = [...wanted].filter(([name]) => !valid.has(name));
  const names = missing.map(([name]) => name);
  if (isDry || names.length + dropped.length === 0) return { built: names, dropped, left: [] };

  /** By another connection: this one is at work. */
  async function cancel(pid: number): Promise<void> {
    const other = open();
    // if it cannot be told, the server ends by itself when it is done
    await other.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined);
    await other.close();
  }

  const own = open();
  const done: KeptIndexes = { built: [], dropped: [], left: [] };
  try {
    if (!(await ownsVectors(own))) return { ...done, left: [...names, ...dropped] };
    const { rows } = await own.query<{ pid: number; isOurs: boolean }>(
      `select pg_backend_pid() as pid, pg_try_advisory_lock(hashtext($1)) as "isOurs"`,
      [LOCK],
    );
    const [session] = rows;
    if (!session?.isOurs) return done;
    signal?.addEventListener('abort', () => void cancel(session.pid), { once: true });
    for (const name of dropped) {
      if (signal?.aborted) return done;
      await own.query(dropVectorIndexSql(name));
      done.dropped.push(name);
    }
    for (const [name, scope] of missing) {
      if (signal?.aborted) return done;
      await own.query(vectorIndexSql(scope, dimensions));
      done.built.push(name);
    }
    return done;
  } finally {
    await own.close();
  }
}
