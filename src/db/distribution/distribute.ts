import type { Database, Queryable } from '../database.ts';
import { functionsOfMigrations } from '../migrate.ts';
import { type Facts, readFacts } from './catalog.ts';
import { NODE_FUNCTIONS } from './node-functions.ts';
import { type DistributionPlan, planDistribution } from './plan.ts';

/**
 * What each connection to the coordinator works by. One connection to each node for a statement that goes to many shards: the triggers
 * of rows that it changes take locks that two connections of one transaction would wait for each other with. `set local`
 * reaches the nodes, as row-level security has to. Triggers of later migrations may be on distributed tables: theirs, like those
 * there are, touch rows of one project.
 */
const SETTINGS = {
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.propagate_set_commands': 'local',
  'citus.enable_unsafe_triggers': 'on',
  'citus.node_connection_timeout': '5s',
};

/** Distributes the tables, or only says what would be done. @see distribute */
export interface DistributeOptions {
  isDry?: boolean;
  /** Told of each statement before it is run. */
  onStatement?: (sql: string) => void;
}

/**
 * Puts every table of a cluster of Citus where it belongs, in one transaction: after a break nothing has been done, and done once
 * more it changes nothing. Others wait meanwhile for as long as the rows take to be moved.
 *
 * @throws Error on a Postgres without Citus, without workers, for a role that does not own the tables, and where a table stands
 *   somewhere it cannot be moved away from
 */
export async function distribute(
  db: Database,
  { isDry = false, onStatement }: DistributeOptions = {},
): Promise<DistributionPlan & { workers: number }> {
  if (isDry) return planned(await readFacts(db));
  const done = await db.transaction(
    async (tx) => {
      for (const [name, value] of Object.entries(SETTINGS)) await tx.query(`set local ${name} = '${value}'`);
      const plan = planned(await readFacts(tx));
      if (plan.statements.length > 0) await shareFunctions(tx);
      for (const sql of plan.statements) {
        onStatement?.(sql);
        await tx.query(sql);
      }
      for (const sql of NODE_FUNCTIONS) await tx.query(sql);
      return plan;
    },
    { unlimited: true },
  );
  await keepSettings(db);
  await dropLeftovers(db);
  const distributed = done.tables.filter(({ placement }) => placement !== 'local');
  if (done.statements.length > 0) for (const { table } of distributed) await db.query(`analyze ${table}`);
  return done;
}

const planned = (facts: Facts) => ({ ...planDistribution(facts), workers: facts.workers });

/** Triggers run on the nodes: Citus takes their functions along, but not those that these call. */
async function shareFunctions(tx: Queryable): Promise<void> {
  const { rows } = await tx.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc
     where proname = any ($1::text[]) and pronamespace = current_schema()::regnamespace`,
    [await functionsOfMigrations()],
  );
  for (const { definition } of rows) await tx.query(definition);
}

/** Sets what connections to the coordinator work by, which is no part of the tables and of no copy of them. */
export async function keepSettings(db: Database): Promise<void> {
  const { rows } = await db.query<{ name: string }>('select quote_ident(current_database()) as name');
  await db.transaction(async (tx) => {
    // of the coordinator alone
    await tx.query('set local citus.enable_ddl_propagation = off');
    for (const [name, value] of Object.entries(SETTINGS)) {
      await tx.query(`alter database ${rows[0]?.name} set ${name} = '${value}'`);
    }
  });
}

/** What was moved away is still on the coordinator, where nobody sees it. */
async function dropLeftovers(db: Database): Promise<void> {
  const { tables } = await readFacts(db);
  for (const { name } of tables.filter(({ hasLeftovers }) => hasLeftovers)) {
    await db.query(`select truncate_local_data_after_distributing_table('${name}')`);
  }
}
