/** A statement that goes to more than one node of a cluster, and why it may. */
interface FanOut {
  /** Its beginning, on one line. */
  starts?: string;
  /** Or what it has in it. */
  has?: string;
  why: string;
}

/** All there are. What is asked for by every search, upload and turn of a project is none of them. */
const FAN_OUT: readonly FanOut[] = [
  // of all projects, by the service itself
  { starts: 'select 1 from jobs where run_at <= now()', why: 'whether any project has a job that is due' },
  {
    starts: "select 1 from webhook_deliveries where status = 'pending' and run_at <= now()",
    why: 'whether any project has a delivery that is due',
  },
  {
    has: 'from files where searchable_version is not null and (lexical_build <',
    why: 'at the start and after an upgrade',
  },
  {
    has: 'from files where searchable_version is not null and lexical_build <',
    why: 'at the start and after an upgrade',
  },
  { starts: "delete from projects where kind = 'import'", why: 'imports that were broken off: once an hour' },
  {
    starts: 'select t.workspace_id as "workspaceId", t.project_id as "projectId" from',
    why: 'what has grown old: once an hour',
  },
  {
    starts:
      'select workspace_id as "workspaceId", project_id as "projectId" from files where searchable_version is not null group by',
    why: 'which projects are large: once an hour',
  },
  {
    starts: 'select 1 from document_leaves union all select 1 from turn_summaries',
    why: 'whether anything has a vector: at the start, where the embedding model is another one',
  },
  { starts: 'select kind, count(*) filter', why: 'figures of the queue, for metrics and readiness' },
  { starts: 'select key_id, sum(originals)', why: 'whether the keys are known: at the start' },
  {
    starts: 'select workspace_id as "workspaceId", project_id as "projectId", file_id',
    why: 'encrypting with another key',
  },
  {
    starts: 'update jobs set locked_by = null',
    why: 'at the start of a process that has the database to itself',
  },
  {
    starts: 'update turns set locked_until',
    why: 'at the start of a process that has the database to itself',
  },
  {
    starts: 'update research_runs set locked_until',
    why: 'at the start of a process that has the database to itself',
  },
  // of all projects, by `forge reindex`
  { starts: 'select (select count(*) from document_leaves)', why: 'how much there is to embed again' },
  {
    starts: 'select workspace_id as "workspaceId", project_id as "projectId" from projects order by',
    why: 'all projects, which are then gone through one by one',
  },
  { starts: 'delete from leaf_vectors', why: 'where there are to be no vectors any more' },
  { starts: 'update files set vectors_pending = 0', why: 'where there are to be no vectors any more' },
  {
    starts: 'update turn_summaries set embedding = null where embedding is not null',
    why: 'where there are to be no vectors any more',
  },
  // of a workspace
  {
    starts: 'select project_id, name, state, state_version, contextual, seq',
    why: 'the list of the projects of a workspace',
  },
  {
    starts: 'select (select count(*)::float8 from projects',
    why: 'what a workspace holds, where it has a quota',
  },
  { starts: 'with this as (select date_trunc', why: 'what a workspace has spent this month' },
  {
    starts: 'select (select count(*)::int from turns where workspace_id = $1 and status',
    why: 'what runs in a workspace',
  },
  {
    starts: "select (select count(*)::int from projects where workspace_id = $1 and kind = 'project')",
    why: 'deleting a workspace',
  },
  { starts: 'select project_id from projects where workspace_id = $1', why: 'deleting a workspace' },
  { starts: 'delete from projects where workspace_id = $1', why: 'deleting a workspace' },
  { starts: 'delete from spending where workspace_id = $1', why: 'deleting a workspace' },
  {
    has: 'as w (workspace_id, project_id, library_id, place)',
    why: 'lists that an MCP client has subscribed to',
  },
  // of a webhook, whose deliveries are beside the projects that they tell of
  {
    starts: "select seq, webhook_id, nullif(project_id, '')",
    why: 'the list of the deliveries of a webhook',
  },
  {
    starts: "update webhook_deliveries set status = 'pending', attempts = 0",
    why: 'a delivery that is asked for again',
  },
  {
    starts: 'delete from webhook_deliveries where workspace_id = $1 and webhook_id',
    why: 'deleting a webhook',
  },
  { has: "and coalesce(project_id, '') = $9", why: 'the end of a test of a webhook' },
  // of one project, in several steps by way of the coordinator
  {
    starts: 'with source as ( select encode(sha256',
    why: 'the hash is read from the row first, of one project',
  },
  {
    starts: 'with project as (select project_id, name, state',
    why: 'a turn begins: the lock, the count and the row, of one project',
  },
  { starts: 'with ended as (', why: 'a turn ends with its state: two rows of one project' },
  { starts: 'with old as (', why: 'what has grown old and is kept as sums: its rows first, of one project' },
  {
    starts: 'update turn_summaries s set embedding = c.embedding',
    why: 'the cache of vectors is on the coordinator',
  },
  { starts: 'insert into leaf_vectors', why: 'the cache of vectors is on the coordinator' },
  {
    starts: 'update leaf_vectors v set embedding = c.embedding',
    why: 'the cache of vectors is on the coordinator',
  },
  {
    starts:
      'insert into jobs (workspace_id, project_id, kind, subject, payload, max_attempts, run_at, stands_back, weight) select',
    why: 'sent, it is one node that does it; to be explained it is refused',
  },
  {
    starts: 'insert into segment_postings (workspace_id, project_id, term,',
    why: 'sent, it is one node that does it; to be explained it is refused',
  },
];

/** Why a statement may go to more than one node; undefined: it may not. */
export const reasonFor = (sql: string): string | undefined =>
  FAN_OUT.find(({ starts, has }) =>
    starts ? sql.startsWith(starts) : has !== undefined && sql.includes(has),
  )?.why;
