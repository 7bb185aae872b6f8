import type { Scope } from '../scope.ts';
import type { Database, Queryable } from './database.ts';
import { isOnCluster } from './distribution/nodes.ts';

/*
 * What removes a batch of what has grown old. Rows that another process has in hand are passed over, so several instances
 * share the work; each gives how many rows it has removed, and fewer than its limit means that there are no more for now.
 */

/** What is older than `before` goes, so many rows of it at most. */
export interface Batch {
  before: Date;
  limit: number;
}

const ENDED = `coalesce(completed_at, created_at)`;

const SUMMED = ['calls', 'input_tokens', 'cached_tokens', 'cache_write_tokens', 'output_tokens'];

/** How old rows of a table of projects are removed, or what is done with them instead. */
interface Removal {
  table: string;
  /** Of a row, besides its workspace. */
  key: readonly string[];
  /**
   * Which rows are old, of the alias `t`; `$1` says since when, and further parameters follow the limit in `$2`. What else it asks
   * of, by another alias, is kept to the same project by `within`.
   */
  isOld: (within: (alias: string) => string) => string;
  /** Left out: they are deleted. */
  assignment?: string;
  /** Their model calls are kept in the totals. */
  isAccounted?: boolean;
}

/** The calls of what goes, into the totals, so that an account stays what it was. */
const keepUsage = `, moved as (
    select workspace_id, project_id, p.phase, p.used->>'model' as model, (${ENDED} at time zone 'utc')::date as day,
      ${SUMMED.map((name) => `sum((p.used->>'${name}')::bigint)::bigint as ${name}`).join(', ')}
    from old cross join lateral jsonb_each(usage->'by_phase') as p (phase, used)
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  ), accounted as (
    insert into usage_totals as u (workspace_id, project_id, phase, model, day, ${SUMMED.join(', ')})
    select * from moved
    on conflict (workspace_id, project_id, phase, model, day) do update set
      ${SUMMED.map((name) => `${name} = u.${name} + excluded.${name}`).join(', ')}
  )`;

/** One statement that takes a batch, of all projects or of that of the last two parameters. */
function removalSql(
  { table, key, isOld, assignment, isAccounted }: Removal,
  ofProject: number | null,
): string {
  const keys = ['workspace_id', ...key];
  const within = (alias: string): string =>
    ofProject === null
      ? ''
      : ` and ${alias}.workspace_id = $${ofProject} and ${alias}.project_id = $${ofProject + 1}`;
  const isSame = keys.map((name) => `t.${name} = old.${name}`).join(' and ');
  const taken = assignment
    ? `update ${table} t set ${assignment} from old where ${isSame}${within('t')} returning 1`
    : `delete from ${table} t using old where ${isSame}${within('t')} returning 1`;
  return `with old as (
       select ${keys.map((name) => `t.${name}`).join(', ')}${isAccounted ? ', usage, completed_at, created_at' : ''}
       from ${table} t where ${isOld(within)}${within('t')}
       order by ${keys.map((name) => `t.${name}`).join(', ')} limit $2 for update of t skip locked
     )${isAccounted ? keepUsage : ''}, gone as (${taken})
     select (select count(*)::int from gone) as removed${isAccounted ? `, (select coalesce(json_agg(moved), '[]') from moved) as moved` : ''}`;
}

interface Taken {
  removed: number;
  moved?: Record<string, string | number>[];
}

/**
 * What is moved into the totals was spent when it was used: what their trigger adds to this month's spending is taken off again.
 */
async function unspend(tx: Queryable, moved: readonly Record<string, string | number>[]): Promise<void> {
  for (const calls of moved) {
    await tx.query(
      `select add_spending($1, $2, $3, ${SUMMED.map((_, index) => `-($${index + 4}::bigint)`).join(', ')})`,
      [calls.workspace_id, calls.project_id, calls.model, ...SUMMED.map((name) => calls[name])],
    );
  }
}

const takeBatch = (db: Database, sql: string, params: readonly unknown[]): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<Taken>(sql, params);
    await unspend(tx, rows[0]?.moved ?? []);
    return rows[0]?.removed ?? 0;
  });

/** Projects that are looked at in one go. */
const PROJECTS = 200;

/**
 * Removes a batch. On a cluster it is taken from one project after the other, each at its node: no statement can hold rows of several.
 */
async function remove(
  db: Database,
  removal: Removal,
  params: readonly [unknown, number, ...unknown[]],
): Promise<number> {
  const [since, limit, ...more] = params;
  if (!(await isOnCluster(db))) return takeBatch(db, removalSql(removal, null), params);
  // $2 is the limit in both statements
  const { rows: scopes } = await db.query<Scope>(
    `select t.workspace_id as "workspaceId", t.project_id as "projectId" from ${removal.table} t where ${removal.isOld(() => '')}
     group by t.workspace_id, t.project_id limit $2`,
    [since, PROJECTS, ...more],
  );
  const sql = removalSql(removal, params.length + 1);
  let removed = 0;
  for (const { workspaceId, projectId } of scopes) {
    if (removed >= limit) break;
    removed += await takeBatch(db, sql, [since, limit - removed, ...more, workspaceId, projectId]);
  }
  // there may be more where not all projects were looked at
  return scopes.length === PROJECTS ? Math.max(removed, limit) : removed;
}

const TURNS: Removal = {
  table: 'turns',
  key: ['project_id', 'turn_number'],
  isOld: (within) => `t.status <> 'in_progress' and ${ENDED} < $1
    and t.turn_number <= (select max(n.turn_number) from turns n
      where n.workspace_id = t.workspace_id and n.project_id = t.project_id${within('n')}) - $3::int`,
  isAccounted: true,
};

/**
 * Removes turns with all that hangs on them; their model calls stay in the accounts.
 *
 * @param window how many of the last turns of every project stay, however old
 */
export const deleteOldTurns = (
  db: Database,
  { before, limit, window }: Batch & { window: number },
): Promise<number> => remove(db, TURNS, [before, limit, window]);

const RECEIPTS: Removal = {
  table: 'turns',
  key: ['project_id', 'turn_number'],
  isOld: () => `t.receipt is not null and t.status <> 'in_progress' and ${ENDED} < $1`,
  assignment: 'receipt = null',
};

/** Removes receipts, which hold whole prompts; the turns stay. */
export const deleteOldReceipts = (db: Database, { before, limit }: Batch): Promise<number> =>
  remove(db, RECEIPTS, [before, limit]);

const eventsOf = (owners: 'turns' | 'research_runs', events: string, id: string): Removal => ({
  table: events,
  key: ['project_id', id, 'seq'],
  isOld: (
    within,
  ) => `exists (select from ${owners} o where o.workspace_id = t.workspace_id and o.project_id = t.project_id
    and o.${id} = t.${id} and o.status <> 'in_progress' and coalesce(o.completed_at, o.created_at) < $1${within('o')})`,
});
const TURN_EVENTS = eventsOf('turns', 'turn_events', 'turn_number');
const RESEARCH_EVENTS = eventsOf('research_runs', 'research_events', 'run_id');

/** Removes what turns have told; a client that asks later is told the end. */
export const deleteOldTurnEvents = (db: Database, { before, limit }: Batch): Promise<number> =>
  remove(db, TURN_EVENTS, [before, limit]);

/** Removes what research runs have told; a client that asks later is told the end. */
export const deleteOldResearchEvents = (db: Database, { before, limit }: Batch): Promise<number> =>
  remove(db, RESEARCH_EVENTS, [before, limit]);

const RESEARCH: Removal = {
  table: 'research_runs',
  key: ['project_id', 'run_id'],
  isOld: () => `t.status <> 'in_progress' and ${ENDED} < $1`,
  isAccounted: true,
};

/** Removes research runs with all that hangs on them; their model calls stay in the accounts. */
export const deleteOldResearch = (db: Database, { before, limit }: Batch): Promise<number> =>
  remove(db, RESEARCH, [before, limit]);

/** Removes the record of who did what. */
export async function deleteOldAudit(db: Queryable, { before, limit }: Batch): Promise<number> {
  const { rowCount } = await db.query(
    `delete from audit_events where (workspace_id, seq) in (
       select workspace_id, seq from audit_events where at < $1
       order by workspace_id, seq limit $2 for update skip locked)`,
    [before, limit],
  );
  return rowCount;
}

const PROJECT_EVENTS: Removal = {
  table: 'project_events',
  key: ['project_id', 'seq'],
  isOld: () => 't.at < $1',
};

/** Removes what projects have told of their changes. */
export const deleteOldProjectEvents = (db: Database, { before, limit }: Batch): Promise<number> =>
  remove(db, PROJECT_EVENTS, [before, limit]);

const DELIVERIES: Removal = {
  table: 'webhook_deliveries',
  // a test of a webhook is of no project
  key: ['webhook_id', 'seq'],
  isOld: () => `t.created_at < $1 and (t.status <> 'pending'
    or not exists (select from webhooks w where w.workspace_id = t.workspace_id and w.webhook_id = t.webhook_id))`,
};

/** Removes deliveries that have ended, and what a webhook that is gone has left over. */
export const deleteOldDeliveries = (db: Database, { before, limit }: Batch): Promise<number> =>
  remove(db, DELIVERIES, [before, limit]);

const VERSIONS: Removal = {
  table: 'file_versions',
  key: ['project_id', 'file_id', 'version'],
  isOld: (
    within,
  ) => `exists (select 1 from files f where f.workspace_id = t.workspace_id and f.project_id = t.project_id
      and f.file_id = t.file_id and t.version < f.version and t.version is distinct from f.searchable_version${within('f')})
    and (select count(*) from file_versions n where n.workspace_id = t.workspace_id
      and n.project_id = t.project_id and n.file_id = t.file_id and n.version > t.version${within('n')}) >= $1::int`,
};

/**
 * Removes bytes and Markdown of versions that newer ones have followed; never of the newest, nor of the one that is searched.
 *
 * @param keep how many versions of each file stay
 */
export const deleteOldVersions = (
  db: Database,
  { keep, limit }: { keep: number; limit: number },
): Promise<number> => remove(db, VERSIONS, [keep, limit]);
