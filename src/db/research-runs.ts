import {
  type ResearchOptions,
  type ResearchRun,
  type RunOutcome,
  type RunStatus,
  researchRunSchema,
  runOutcomeSchema,
} from '../contract/research.ts';
import type { TurnFailure } from '../contract/turn.ts';
import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text/storable.ts';
import type { Queryable } from './database.ts';
import {
  EVENTS_PER_ATTEMPT,
  eventStatements,
  type FollowedTables,
  type Lease,
  prolongLeases as prolong,
} from './followed.ts';

/** A run as it is shown, and what the service keeps of it for itself. */
export interface StoredRun {
  run: ResearchRun;
  options: ResearchOptions;
  /** Its place in the order of the runs. */
  seq: string;
  /** It is in progress, and whoever worked on it has stopped saying so. */
  abandoned: boolean;
}

/** Who works on a run. */
export interface RunLease extends Lease {
  runId: string;
}

const RUN_TABLES = {
  owners: 'research_runs',
  events: 'research_events',
  key: 'run_id',
  keyType: 'text',
  prefix: 'run',
} as const satisfies FollowedTables;

export const { insertEvents, selectEvents, selectChanged } = eventStatements<string, RunStatus>(RUN_TABLES);

/** Prolongs leases of runs. @see prolong */
export const prolongLeases = <L extends RunLease & { scope: Scope }>(
  db: Queryable,
  leases: readonly L[],
  share: number,
): Promise<L[]> => prolong(db, RUN_TABLES, { leases, idOf: ({ runId }) => runId, share });

type RunRow = Omit<ResearchRun, 'object' | 'id' | 'created_at' | 'completed_at'> & {
  run_id: string;
  created_at: Date;
  completed_at: Date | null;
  options: ResearchOptions;
  seq: string;
  abandoned: boolean;
};

// what is shown has the names that the contract gives it: a member that is added there needs a column, and nothing here
const SHOWN = researchRunSchema.omit({ object: true, id: true }).keyof().options;
const COLUMNS = `run_id, ${SHOWN.join(', ')}, options, seq,
  status = 'in_progress' and (locked_until is null or locked_until < now()) as abandoned`;
// of a run that the statement itself begins or ends: nobody has abandoned it
const WRITTEN_COLUMNS = `run_id, ${SHOWN.join(', ')}, options, seq, false as abandoned`;
const END_COLUMNS = runOutcomeSchema.keyof().options;
const KNOWN_TO_WORKER = ['steps', 'limits_applied', 'usage', 'timings_ms', 'model'] as const;
const OF_PROJECT = 'workspace_id = $1 and project_id = $2';
const OF_RUN = `${OF_PROJECT} and run_id = $3`;
const HELD = `${OF_RUN} and status = 'in_progress' and attempt = $4 and locked_by = $5`;
/** Undoes the end of an attempt, but for the status and for the usage, which the next attempt adds to. */
const UNSET_END = END_COLUMNS.filter((column) => column !== 'status' && column !== 'usage')
  .map((column) => `${column} = default`)
  .join(', ');

function toStoredRun({
  run_id,
  options,
  seq,
  abandoned,
  created_at,
  completed_at,
  ...columns
}: RunRow): StoredRun {
  return {
    run: {
      object: 'research_run',
      id: run_id,
      ...columns,
      created_at: created_at.toISOString(),
      completed_at: completed_at?.toISOString() ?? null,
    },
    options,
    seq,
    abandoned,
  };
}

const columnParam = (value: unknown): unknown => {
  if (typeof value === 'string') return storableText(value);
  return typeof value === 'object' && value !== null ? jsonParam(value) : value;
};

/** Records a run as in progress under a lease. */
export async function insertRun(
  tx: Queryable,
  scope: Scope,
  { question, options }: { question: string; options: ResearchOptions },
  lease: RunLease,
): Promise<StoredRun> {
  const { rows } = await tx.query<RunRow>(
    `insert into research_runs (workspace_id, project_id, run_id, status, question, options, locked_by, locked_until)
     values ($1, $2, $3, 'in_progress', $4, $5, $6, now() + make_interval(secs => $7)) returning ${WRITTEN_COLUMNS}`,
    [
      scope.workspaceId,
      scope.projectId,
      lease.runId,
      storableText(question),
      jsonParam(options),
      lease.holder,
      lease.seconds,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('the run gave no row');
  return toStoredRun(row);
}

/** The run, or null; with `lock`, its row is held until the transaction ends. */
export async function findRun(
  db: Queryable,
  scope: Scope,
  runId: string,
  { lock = false } = {},
): Promise<StoredRun | null> {
  const { rows } = await db.query<RunRow>(
    `select ${COLUMNS} from research_runs where ${OF_RUN} ${lock ? 'for no key update' : ''}`,
    [scope.workspaceId, scope.projectId, storableText(runId)],
  );
  return rows[0] ? toStoredRun(rows[0]) : null;
}

/** Runs in the order in which they were asked for; bounds are exclusive. */
export async function selectRuns(
  db: Queryable,
  scope: Scope,
  page: { after: string | null; before: string | null; limit: number; descending: boolean },
): Promise<StoredRun[]> {
  const { rows } = await db.query<RunRow>(
    `select ${COLUMNS} from research_runs where ${OF_PROJECT} and ($3::bigint is null or seq > $3)
       and ($4::bigint is null or seq < $4)
     order by seq ${page.descending ? 'desc' : 'asc'} limit $5`,
    [scope.workspaceId, scope.projectId, page.after, page.before, page.limit],
  );
  return rows.map(toStoredRun);
}

/** Puts a run back in progress, with nothing of its last attempt left; gives it as it is then. */
export async function restartRun(tx: Queryable, scope: Scope, lease: RunLease): Promise<StoredRun> {
  const key = [scope.workspaceId, scope.projectId, lease.runId];
  const { rows } = await tx.query<RunRow>(
    `update research_runs set status = 'in_progress', ${UNSET_END}, completed_at = null, attempt = $4, locked_by = $5,
       locked_until = now() + make_interval(secs => $6)
     where ${OF_RUN} returning ${WRITTEN_COLUMNS}`,
    [...key, lease.attempt, lease.holder, lease.seconds],
  );
  await tx.query(`delete from research_events where ${OF_RUN}`, key);
  const [row] = rows;
  if (!row) throw new Error('a run that is held gave no row');
  return toStoredRun(row);
}

/** Ends a run that is ours, and gives it as it ended; null when it no longer is ours: nothing is changed then. */
export async function finishRun(
  db: Queryable,
  scope: Scope,
  lease: RunLease,
  end: RunOutcome,
): Promise<StoredRun | null> {
  const { rows } = await db.query<RunRow>(
    `update research_runs set ${END_COLUMNS.map((column, index) => `${column} = $${index + 6}`).join(', ')},
       completed_at = now(), locked_by = null, locked_until = null
     where ${HELD} returning ${WRITTEN_COLUMNS}`,
    [
      scope.workspaceId,
      scope.projectId,
      lease.runId,
      lease.attempt,
      lease.holder,
      ...END_COLUMNS.map((column) => columnParam(end[column])),
    ],
  );
  return rows[0] ? toStoredRun(rows[0]) : null;
}

/**
 * Adds to a run that was cancelled through another instance what only its worker knew: what it had done and spent, and more
 * of the answer than was stored by then. Gives it as it is then; null when it has not ended so, or is another attempt by now.
 */
export async function completeCancelledRun(
  db: Queryable,
  scope: Scope,
  lease: RunLease,
  { answer, ...known }: Pick<RunOutcome, 'answer' | (typeof KNOWN_TO_WORKER)[number]>,
): Promise<StoredRun | null> {
  const { rows } = await db.query<RunRow>(
    `update research_runs set ${KNOWN_TO_WORKER.map((column, index) => `${column} = $${index + 6}`).join(', ')},
       answer = case when length(coalesce(answer, '')) < length($5::text) then $5 else answer end
     where ${OF_RUN} and attempt = $4 and status = 'cancelled' returning ${WRITTEN_COLUMNS}`,
    [
      scope.workspaceId,
      scope.projectId,
      lease.runId,
      lease.attempt,
      columnParam(answer),
      ...KNOWN_TO_WORKER.map((column) => columnParam(known[column])),
    ],
  );
  return rows[0] ? toStoredRun(rows[0]) : null;
}

/**
 * What the present attempt had said by its stored events, since it last began anew: one that is cancelled keeps it.
 */
const SAID = `select string_agg(piece, '' order by e.seq, place)
  from research_events e, json_array_elements_text(e.data) with ordinality as pieces(piece, place)
  where e.workspace_id = $1 and e.project_id = $2 and e.run_id = $3 and e.type = 'answer.delta'
    and e.seq > (research_runs.attempt - 1)::bigint * ${EVENTS_PER_ATTEMPT}
    and not exists (select from research_events r
      where r.workspace_id = $1 and r.project_id = $2 and r.run_id = $3 and r.type = 'answer.reset' and r.seq > e.seq)`;

/** Ends, without being its holder, a run that is in progress; `abandonedOnly`: only one whose lease has run out. */
export async function endRunOfOthers(
  db: Queryable,
  scope: Scope,
  runId: string,
  end: { status: 'failed' | 'cancelled'; error: TurnFailure | null; abandonedOnly: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update research_runs set status = $4, error = $5, completed_at = now(), locked_by = null, locked_until = null,
       answer = case when $4 = 'cancelled' then (${SAID}) end
     where ${OF_RUN} and status = 'in_progress' and (not $6 or locked_until is null or locked_until < now())`,
    [
      scope.workspaceId,
      scope.projectId,
      runId,
      end.status,
      end.error === null ? null : jsonParam(end.error),
      end.abandonedOnly,
    ],
  );
  return rowCount > 0;
}
