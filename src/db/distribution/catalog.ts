import type { Queryable } from '../database.ts';
import { tablesOfMigrations } from '../migrate.ts';
import { selectVectorIndexes } from '../vector-indexes.ts';
import type { Placement } from './tables.ts';

/** A table as it is now. */
export interface TableFacts {
  name: string;
  placement: Placement;
  hasProject: boolean;
  /** Rows are still on the coordinator although the table was distributed: nobody sees them. */
  hasLeftovers: boolean;
}

/** A foreign key. */
export interface KeyFacts {
  table: string;
  references: string;
  name: string;
  definition: string;
}

/** Something on a table that is made by one statement. */
export interface OnTable {
  table: string;
  name: string;
  definition: string;
}

/** What is known of a database that is to be distributed. */
export interface Facts {
  tables: TableFacts[];
  keys: KeyFacts[];
  triggers: OnTable[];
  /** Unique indexes that do not have `project_id` in them; `isConstraint`: a constraint's. */
  narrowKeys: (OnTable & { isConstraint: boolean })[];
  /** Policies whose condition has a query in it. */
  policies: OnTable[];
  /** Approximate indexes of large projects, which are for one server. */
  vectorIndexes: string[];
  /** Nodes that hold rows. */
  workers: number;
}

/** Whether the tables of projects are distributed over a cluster. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select to_regclass('pg_dist_partition') is not null and to_regclass('projects') is not null as found`,
  );
  if (rows[0]?.found !== true) return false;
  const { rows: found } = await db.query(
    `select 1 from pg_dist_partition where logicalrelid = 'projects'::regclass`,
  );
  return found.length > 0;
}

/**
 * Reads what stands where.
 *
 * @throws Error on a Postgres without Citus, without workers, or by a role that does not own the tables
 */
export async function readFacts(db: Queryable): Promise<Facts> {
  await assertCluster(db);
  const names = await tablesOfMigrations();
  const read = async <R>(sql: string): Promise<R[]> => (await db.query<R>(sql, [names])).rows;
  const [workers] = (
    await db.query<{ count: number }>(
      `select count(*)::int as count from pg_dist_node
       where noderole = 'primary' and isactive and shouldhaveshards`,
    )
  ).rows;
  if (!workers?.count) {
    throw new Error(
      'the cluster has no node that holds rows: add workers first (select citus_add_node(host, port), on the coordinator)',
    );
  }
  return {
    workers: workers.count,
    tables: await read(TABLES),
    keys: await read(KEYS),
    triggers: await read(TRIGGERS),
    narrowKeys: await read(NARROW_KEYS),
    policies: await read(POLICIES),
    vectorIndexes: (await selectVectorIndexes(db)).map(({ name }) => name),
  };
}

async function assertCluster(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ citus: boolean; tables: boolean; owns: boolean | null }>(
    `select exists (select from pg_extension where extname = 'citus') as citus, to_regclass('projects') is not null as tables,
       pg_has_role((select relowner from pg_class where oid = to_regclass('projects')), 'usage') as owns`,
  );
  const found = rows[0];
  if (!found?.citus) {
    throw new Error(
      'this Postgres has no Citus: nothing can be distributed. Install it on every node, create extension citus, and add the workers',
    );
  }
  if (!found.tables) throw new Error('there are no tables yet: run forge migrate first');
  if (!found.owns) {
    throw new Error('the tables belong to another role: name their owner in DATABASE_MIGRATION_URL');
  }
  const { rows: here } = await db.query<{ coordinator: boolean }>(
    'select groupid = 0 as coordinator from pg_dist_local_group',
  );
  if (!here[0]?.coordinator) throw new Error('this node is a worker: connect to the coordinator');
}

const OURS = `c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname = any ($1::text[])`;

const TABLES = `select c.relname as name,
    case when p.partmethod = 'h' then 'distributed' when p.partmethod = 'n' and p.repmodel = 't' then 'reference'
      else 'local' end as placement,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped)
      as "hasProject",
    p.partmethod is not null and pg_relation_size(c.oid) > 0 as "hasLeftovers"
  from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid where ${OURS} order by c.relname`;

const KEYS = `select c.relname as table, f.relname as references, k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
  where k.contype = 'f' and ${OURS} order by c.relname, k.conname`;

const TRIGGERS = `select c.relname as table, t.tgname as name, pg_get_triggerdef(t.oid) as definition
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where not t.tgisinternal and t.tgname not like 'truncate\\_trigger\\_%' and ${OURS} order by c.relname, t.tgname`;

const NARROW_KEYS = `select c.relname as table, n.relname as name, pg_get_indexdef(i.indexrelid) as definition,
    exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u')) as "isConstraint"
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
  where i.indisunique and ${OURS} and not exists (select from pg_attribute a
    where a.attrelid = c.oid and a.attname = 'project_id' and a.attnum = any (i.indkey::int2[]))
  order by c.relname, n.relname`;

const POLICIES = `select c.relname as table, p.polname as name, pg_get_expr(p.polqual, p.polrelid) as definition
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where ${OURS} and pg_get_expr(p.polqual, p.polrelid) ~* 'select' order by c.relname, p.polname`;
