import { DatabaseError } from '../errors.ts';
import { WEIGHT, type Weight } from '../weight.ts';
import type { Database } from './database.ts';
import { askNodes, isOnCluster, mayFind } from './distribution/nodes.ts';
import type { Job, JobKind } from './jobs.ts';

/** Which jobs a claim may take. */
export interface ClaimTerms {
  leaseSeconds: number;
  /** Most that it may weigh. Default: any. */
  heaviest?: Weight;
  /** Most jobs that one project may have under way, in all processes; a claim that races with another may go one over. Default: any number. */
  mostOfProject?: number;
}

/** More than any process runs: no limit. */
const MOST_OF_PROJECT = 2 ** 31 - 1;
/** Later that a job may be due and still go before one of the next weight: nothing waits for ever behind notes. */
const SECONDS_PER_WEIGHT = 20;

// Of each project and weight so many that are due first: those that another process claims at the same moment are skipped.
const CANDIDATES = 4;

// Projects are found by leaping from one to the next in the index, so that 100,000 jobs of one cost no more than one does.
const FAIR_ORDER = `
  with recursive places as (
    (select workspace_id, project_id from jobs order by workspace_id, project_id limit 1)
    union all
    select next.workspace_id, next.project_id from places p, lateral (
      select j.workspace_id, j.project_id from jobs j
      where (j.workspace_id, j.project_id) > (p.workspace_id, p.project_id)
      order by j.workspace_id, j.project_id limit 1) next
  ), held as (
    select workspace_id, project_id, count(*)::int as jobs from jobs where locked_until >= now() group by 1, 2
  ), held_of_workspace as (
    select workspace_id, sum(jobs)::int as jobs from held group by 1
  ), first as (
    select p.workspace_id, p.project_id, j.job_id, j.weight, j.run_at + j.stands_back * interval '1 second' as due_at,
      coalesce(h.jobs, 0) as of_project, coalesce(w.jobs, 0) as of_workspace
    from places p left join held h using (workspace_id, project_id) left join held_of_workspace w using (workspace_id),
      generate_series(0, $3::int) as weights (weight), lateral (
        select c.job_id, c.weight, c.run_at, c.stands_back from jobs c
        where c.workspace_id = p.workspace_id and c.project_id = p.project_id and c.weight = weights.weight
          and c.run_at <= now() and (c.locked_until is null or c.locked_until < now())
        order by c.run_at limit ${CANDIDATES}) j
    where coalesce(h.jobs, 0) < $4::int
  )`;

const TURN = `order by f.of_project, f.of_workspace, f.due_at + f.weight * interval '${SECONDS_PER_WEIGHT} seconds', f.job_id`;
// only these are looked up once more and locked, not all that wait
const MOST_CONTENDED = 64;

/**
 * Takes the next job: of the project that has fewest under way, then of the workspace that has; there notes before small
 * jobs before heavy ones, where they are not due much later, and then what has waited longest. Whosever lease on it has run
 * out is included. Null when none is due.
 */
export async function claimJob(db: Database, holder: string, terms: ClaimTerms): Promise<Job | null> {
  if (await isOnCluster(db)) return claimOnCluster(db, holder, terms);
  const { leaseSeconds, heaviest = WEIGHT.alone, mostOfProject = MOST_OF_PROJECT } = terms;
  const { rows } = await db.query<JobRow>(
    `${FAIR_ORDER}
     update jobs set attempts = attempts + 1, locked_by = $1, locked_until = now() + make_interval(secs => $2)
     where (workspace_id, project_id, job_id) = (
       select j.workspace_id, j.project_id, j.job_id
       from (select * from first f ${TURN} limit ${MOST_CONTENDED}) f
         join jobs j using (workspace_id, project_id, job_id)
       where j.run_at <= now() and (j.locked_until is null or j.locked_until < now())
       ${TURN}
       limit 1 for update of j skip locked)
     returning ${COLUMNS}`,
    [holder, leaseSeconds, heaviest, mostOfProject],
  );
  return rows[0] ? toJob(rows[0], holder) : null;
}

const COLUMNS = 'workspace_id, project_id, job_id, kind, subject, payload, attempts, max_attempts, weight';

interface JobRow {
  workspace_id: string;
  project_id: string;
  job_id: string;
  kind: JobKind;
  subject: string;
  payload: Record<string, unknown>;
  attempts: number;
  max_attempts: number;
  weight: Weight;
}

const toJob = (row: JobRow, holder: string): Job => ({
  workspaceId: row.workspace_id,
  projectId: row.project_id,
  jobId: row.job_id,
  kind: row.kind,
  subject: row.subject,
  payload: row.payload,
  attempts: row.attempts,
  maxAttempts: row.max_attempts,
  weight: row.weight,
  lockedBy: holder,
});

/** A job that is due, as its node knows it. */
interface DueJob {
  workspace: string;
  project: string;
  id: string;
  attempts: number;
  /** Jobs of its project that are held. */
  held: number;
  /** In seconds since 1970. */
  due_at: number;
  weight: number;
}

/** What one node answers. */
interface DueOnNode {
  due: DueJob[];
  held: { workspace_id: string; jobs: number }[];
}

const ANY_DUE =
  'select 1 from jobs where run_at <= now() and (locked_until is null or locked_until < now()) limit 1';

/** As many are tried: others that claim at the same moment want the same ones. */
const MOST_TRIED = 16;

/**
 * The same on a cluster, where no statement can choose among the jobs of all nodes and hold one: the candidates are asked of each node,
 * put in order here, and taken by their key, in the order of `TURN`. Whoever comes second finds another attempt there, and goes on to
 * the next. A node that is down has no candidates.
 */
async function claimOnCluster(db: Database, holder: string, terms: ClaimTerms): Promise<Job | null> {
  if (!(await mayFind(db, ANY_DUE))) return null;
  const { leaseSeconds, heaviest = WEIGHT.alone, mostOfProject = MOST_OF_PROJECT } = terms;
  const nodes = await askNodes<DueOnNode>(
    db,
    `select due_jobs_here(${Number(heaviest)}, ${Number(mostOfProject)}, ${CANDIDATES})`,
  );
  const heldBy = new Map<string, number>();
  for (const { workspace_id: id, jobs } of nodes.flatMap(({ held }) => held)) {
    heldBy.set(id, (heldBy.get(id) ?? 0) + jobs);
  }
  const rank = (job: DueJob): [number, number, number] => [
    job.held,
    heldBy.get(job.workspace) ?? 0,
    job.due_at + job.weight * SECONDS_PER_WEIGHT,
  ];
  const candidates = nodes
    .flatMap(({ due }) => due.map((job) => ({ job, rank: rank(job) })))
    .sort((a, b) => compare(a.rank, b.rank) || (a.job.id < b.job.id ? -1 : 1));
  for (const { job } of candidates.slice(0, MOST_TRIED)) {
    const taken = await takeJob(db, holder, leaseSeconds, job);
    if (taken) return taken;
  }
  return null;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

/** Takes one job if it is as it was; null when it is not, or its node is down by now. */
async function takeJob(db: Database, holder: string, leaseSeconds: number, job: DueJob): Promise<Job | null> {
  try {
    const { rows } = await db.query<JobRow>(
      `update jobs set attempts = attempts + 1, locked_by = $1, locked_until = now() + make_interval(secs => $2)
       where workspace_id = $3 and project_id = $4 and job_id = $5 and attempts = $6 and run_at <= now()
         and (locked_until is null or locked_until < now())
       returning ${COLUMNS}`,
      [holder, leaseSeconds, job.workspace, job.project, job.id, job.attempts],
    );
    return rows[0] ? toJob(rows[0], holder) : null;
  } catch (error) {
    if (error instanceof DatabaseError && error.mayGoThrough) return null;
    throw error;
  }
}
