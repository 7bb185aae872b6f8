/*
 * Where the rows of each table are in a cluster of Citus. Whatever belongs to a project is distributed by its id, beside the project's
 * own row: a statement about a project is sent to the one node that has it, and its foreign keys and triggers hold there. What is
 * read with it and belongs to no project is on every node; the rest stays on the coordinator.
 */

/** `distributed`: by `project_id`, beside `projects`; `reference`: a copy on every node; `local`: on the coordinator alone. */
export type Placement = 'distributed' | 'reference' | 'local';

/** A key or an index that cannot be on a distributed table, since it says nothing of the project. */
export interface Obstacle {
  /** Of the constraint or the index. */
  name: string;
  /** What takes its place; null: nothing does. */
  replacement: string | null;
  /** How what it was for is kept. */
  instead: string;
}

/** Where a table belongs, and what has to be changed for that. */
export interface TablePlan {
  placement: Placement;
  why: string;
  obstacles?: readonly Obstacle[];
  /** Statements that make the rows there are fit. */
  before?: readonly string[];
}

const ofProject = (why: string, more: Partial<TablePlan> = {}): [Placement, string, Partial<TablePlan>] => [
  'distributed',
  why,
  more,
];
const local = (why: string): [Placement, string] => ['local', why];

const LIBRARY: Obstacle = {
  name: 'one_library_per_workspace',
  replacement: null,
  instead: 'every library has the same id, so that the primary key lets a workspace have one',
};

const DELIVERY: Obstacle = {
  name: 'webhook_deliveries_pkey',
  replacement:
    'alter table webhook_deliveries add constraint webhook_deliveries_pkey primary key (workspace_id, webhook_id, seq, project_id)',
  instead: 'the project is part of it; numbers are given out once by their sequence',
};

const TABLES: Record<string, [Placement, string, Partial<TablePlan>?]> = {
  projects: ofProject('the others are beside it', { obstacles: [LIBRARY] }),
  files: ofProject('documents'),
  file_versions: ofProject('documents'),
  document_parents: ofProject('documents'),
  document_leaves: ofProject('documents'),
  document_summaries: ofProject('documents'),
  leaf_vectors: ofProject('searched'),
  leaf_postings: ofProject('searched'),
  leaf_contexts: ofProject('documents'),
  posting_segments: ofProject('searched'),
  segment_postings: ofProject('searched'),
  turns: ofProject('the conversation'),
  turn_summaries: ofProject('the conversation'),
  turn_postings: ofProject('the conversation'),
  turn_events: ofProject('the conversation'),
  research_runs: ofProject('research'),
  research_events: ofProject('research'),
  usage_totals: ofProject('written by triggers on the project'),
  spending: ofProject('written by triggers on the project'),
  project_events: ofProject('written by triggers on the project'),
  trimmed_feeds: ofProject('written by triggers on the project'),
  webhook_deliveries: ofProject('written by triggers on the project', {
    obstacles: [DELIVERY],
    before: [
      // a row of a distributed table has a project; a test of a webhook is about none
      `update webhook_deliveries set project_id = '' where project_id is null`,
      `alter table webhook_deliveries alter column project_id set default ''`,
      'alter table webhook_deliveries alter column project_id set not null',
    ],
  }),
  jobs: ofProject('written with what they are about'),
  webhooks: ['reference', 'triggers on projects read it'],
  workspaces: local('asked for by every request; no node has to be there'),
  api_keys: local('asked for by every request; no node has to be there'),
  audit_events: local('of a workspace'),
  idempotency_keys: local('of a caller'),
  rate_limits: local('asked for by every request; no node has to be there'),
  upload_room: local('of a workspace'),
  provider_rates: local('of the installation'),
  embedding_cache: local('vectors by the hash of their text, of no project'),
  settings: local('of the installation'),
  schema_migrations: local('of the installation'),
};

/**
 * Where a table belongs. One that a newer migration has made and that is not known here belongs beside the projects if it has a project.
 *
 * @param hasProject whether it has a column `project_id`
 */
export function planOf(table: string, hasProject: boolean): TablePlan {
  const [placement, why, more] =
    TABLES[table] ?? (hasProject ? ofProject('has a project') : local('has no project'));
  return { placement, why, ...more };
}
