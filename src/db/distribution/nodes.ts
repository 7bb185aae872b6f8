import { DatabaseError } from '../../errors.ts';
import type { Queryable } from '../database.ts';
import { isDistributed } from './catalog.ts';

/** How long an answer that nothing is distributed is taken for one: it may be while the service runs. */
const FORGOTTEN_AFTER_MS = 60_000;

interface Known {
  answer: Promise<boolean>;
  until: number;
}

const known = new WeakMap<Queryable, Known>();

/** Whether the tables of projects are distributed over a cluster, without asking each time. */
export async function isOnCluster(db: Queryable): Promise<boolean> {
  const found = known.get(db);
  if (found && performance.now() < found.until) return found.answer;
  const answer = isDistributed(db);
  known.set(db, { answer, until: performance.now() + FORGOTTEN_AFTER_MS });
  try {
    // what is distributed stays so
    if (await answer) known.set(db, { answer, until: Number.POSITIVE_INFINITY });
    return await answer;
  } catch (error) {
    known.delete(db);
    throw error;
  }
}

/**
 * Whether a statement finds a row anywhere. It goes by the connections that there are, which `askNodes` does not: asked first, so that
 * looking for work where there is none costs little. True as well where a node is down, and only the others can be asked.
 */
export async function mayFind(db: Queryable, statement: string): Promise<boolean> {
  try {
    return (await db.query(statement)).rows.length > 0;
  } catch (error) {
    if (error instanceof DatabaseError) return true;
    throw error;
  }
}

/**
 * What every node that can be reached answers to a statement of one value, as JSON. A node that is down is left out: its projects
 * cannot be served, and the others are.
 *
 * @param statement without parameters
 */
export async function askNodes<T>(db: Queryable, statement: string): Promise<T[]> {
  const { rows } = await db.query<{ result: T }>(
    'select result::json as result from run_command_on_all_nodes($1, give_warning_for_connection_errors => false) where success',
    [statement],
  );
  return rows.map(({ result }) => result);
}
