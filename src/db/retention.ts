import type { Queryable } from './database.ts';

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

/**
 * The calls of what goes, into the totals, so that an account stays what it was. They were spent when they were made: what the
 * totals' trigger adds to this month's spending is taken off again, which `unspent` does once it is read.
 */
const keepUsageOf = (gone: string): string => `moved as (
    select workspace_id, project_id, p.phase, p.used->>'model' as model, (${ENDED} at time zone 'utc')::date as day,
      ${SUMMED.map((name) => `sum((p.used->>'${name}')::bigint)::bigint as ${name}`).join(', ')}
    from ${gone} cross join lateral jsonb_each(usage->'by_phase') as p (phase, used)
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  ), accounted as (
    insert into usage_totals as u (workspace_id, project_id, phase, model, day, ${SUMMED.join(', ')})
    select * from moved
    on conflict (workspace_id, project_id, phase, model, day) do update set
      ${SUMMED.map((name) => `${name} = u.${name} + excluded.${name}`).join(', ')}
  ), unspent as materialized (
    select count(add_spending(workspace_id, project_id, model, ${SUMMED.map((name) => `-${name}`).join(', ')})::text) as n
    from moved
  )`;

async function countOf(db: Queryable, sql: string, params: readonly unknown[]): Promise<number> {
  const { rows } = await db.query<{ removed: number }>(sql, params);
  return rows[0]?.removed ?? 0;
}

/**
 * Removes turns with all that hangs on them; their model calls stay in the accounts.
 *
 * @param window how many of the last turns of every project stay, however old
 */
export const deleteOldTurns = (
  db: Queryable,
  { before, limit, window }: Batch & { window: number },
): Promise<number> =>
  countOf(
    db,
    `with old as (
       select workspace_id, project_id, turn_number, usage, completed_at, created_at from turns t
       where status <> 'in_progress' and ${ENDED} < $1
         and turn_number <= (select max(turn_number) from turns n
           where n.workspace_id = t.workspace_id and n.project_id = t.project_id) - $3::int
       order by workspace_id, project_id, turn_number limit $2 for update skip locked
     ), ${keepUsageOf('old')}, gone as (
       delete from turns t using old where t.workspace_id = old.workspace_id and t.project_id = old.project_id
         and t.turn_number = old.turn_number returning 1
     ) select (select count(*)::int from gone) as removed, (select n from unspent) as unspent`,
    [before, limit, window],
  );

/** Removes receipts, which hold whole prompts; the turns stay. */
export const deleteOldReceipts = (db: Queryable, { before, limit }: Batch): Promise<number> =>
  countOf(
    db,
    `with old as (
       select workspace_id, project_id, turn_number from turns
       where receipt is not null and status <> 'in_progress' and ${ENDED} < $1
       order by workspace_id, project_id, turn_number limit $2 for update skip locked
     ), gone as (
       update turns t set receipt = null from old where t.workspace_id = old.workspace_id
         and t.project_id = old.project_id and t.turn_number = old.turn_number returning 1
     ) select count(*)::int as removed from gone`,
    [before, limit],
  );

const deleteOldEventsOf = (owners: 'turns' | 'research_runs', events: string, id: string): string =>
  `with old as (
     select e.workspace_id, e.project_id, e.${id}, e.seq from ${events} e join ${owners} o using (workspace_id, project_id, ${id})
     where o.status <> 'in_progress' and coalesce(o.completed_at, o.created_at) < $1
     order by e.workspace_id, e.project_id, e.${id}, e.seq limit $2 for update of e skip locked
   ), gone as (
     delete from ${events} e using old where e.workspace_id = old.workspace_id and e.project_id = old.project_id
       and e.${id} = old.${id} and e.seq = old.seq returning 1
   ) select count(*)::int as removed from gone`;

/** Removes what turns have told; a client that asks later is told the end. */
export const deleteOldTurnEvents = (db: Queryable, { before, limit }: Batch): Promise<number> =>
  countOf(db, deleteOldEventsOf('turns', 'turn_events', 'turn_number'), [before, limit]);

/** Removes what research runs have told; a client that asks later is told the end. */
export const deleteOldResearchEvents = (db: Queryable, { before, limit }: Batch): Promise<number> =>
  countOf(db, deleteOldEventsOf('research_runs', 'research_events', 'run_id'), [before, limit]);

/** Removes research runs with all that hangs on them; their model calls stay in the accounts. */
export const deleteOldResearch = (db: Queryable, { before, limit }: Batch): Promise<number> =>
  countOf(
    db,
    `with old as (
       select workspace_id, project_id, run_id, usage, completed_at, created_at from research_runs
       where status <> 'in_progress' and ${ENDED} < $1
       order by workspace_id, project_id, run_id limit $2 for update skip locked
     ), ${keepUsageOf('old')}, gone as (
       delete from research_runs r using old where r.workspace_id = old.workspace_id
         and r.project_id = old.project_id and r.run_id = old.run_id returning 1
     ) select (select count(*)::int from gone) as removed, (select n from unspent) as unspent`,
    [before, limit],
  );

/** Removes the record of who did what. */
export const deleteOldAudit = (db: Queryable, { before, limit }: Batch): Promise<number> =>
  countOf(
    db,
    `with old as (
       select workspace_id, seq from audit_events where at < $1
       order by workspace_id, seq limit $2 for update skip locked
     ), gone as (
       delete from audit_events e using old where e.workspace_id = old.workspace_id and e.seq = old.seq returning 1
     ) select count(*)::int as removed from gone`,
    [before, limit],
  );

/** Removes what projects have told of their changes. */
export const deleteOldProjectEvents = (db: Queryable, { before, limit }: Batch): Promise<number> =>
  countOf(
    db,
    `with old as (
       select workspace_id, project_id, seq from project_events where at < $1
       order by at limit $2 for update skip locked
     ), gone as (
       delete from project_events e using old where e.workspace_id = old.workspace_id
         and e.project_id = old.project_id and e.seq = old.seq returning 1
     ) select count(*)::int as removed from gone`,
    [before, limit],
  );

/**
 * Removes bytes and Markdown of versions that newer ones have followed; never of the newest, nor of the one that is searched.
 *
 * @param keep how many versions of each file stay
 */
export const deleteOldVersions = (
  db: Queryable,
  { keep, limit }: { keep: number; limit: number },
): Promise<number> =>
  countOf(
    db,
    `with old as (
       select workspace_id, project_id, file_id, version from file_versions v
       where exists (select 1 from files f where f.workspace_id = v.workspace_id and f.project_id = v.project_id
           and f.file_id = v.file_id and v.version < f.version and v.version is distinct from f.searchable_version)
         and (select count(*) from file_versions n where n.workspace_id = v.workspace_id
           and n.project_id = v.project_id and n.file_id = v.file_id and n.version > v.version) >= $1::int
       order by workspace_id, project_id, file_id, version limit $2 for update skip locked
     ), gone as (
       delete from file_versions v using old where v.workspace_id = old.workspace_id
         and v.project_id = old.project_id and v.file_id = old.file_id and v.version = old.version returning 1
     ) select count(*)::int as removed from gone`,
    [keep, limit],
  );
