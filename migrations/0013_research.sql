-- What the research agent does is followed like a turn: events as they happened, a lease, attempts.
alter table research_runs add column seq bigint generated always as identity;
alter table research_runs add column options jsonb not null default '{}';
alter table research_runs add column timings_ms jsonb;
alter table research_runs add column model text;
alter table research_runs add column error jsonb;
alter table research_runs add column limits_applied jsonb not null default '[]';
alter table research_runs add column attempt integer not null default 1;
alter table research_runs add column locked_by text;
alter table research_runs add column locked_until timestamptz;
alter table research_runs add constraint research_runs_status check
  (status in ('in_progress', 'completed', 'needs_clarification', 'step_limit_reached', 'failed', 'cancelled'));
create index research_runs_in_order on research_runs (workspace_id, project_id, seq);

create table research_events (
  workspace_id text not null,
  project_id text not null,
  run_id text not null,
  seq bigint not null,
  type text not null,
  -- as it was sent, members in their order
  data json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, project_id, run_id, seq),
  foreign key (workspace_id, project_id, run_id) references research_runs on delete cascade
);

-- A key can stand for a run as it can for a turn.
alter table idempotency_keys add column run_id text;
alter table idempotency_keys add foreign key (workspace_id, project_id, run_id) references research_runs on delete cascade;
create index idempotency_keys_of_run on idempotency_keys (workspace_id, project_id, run_id) where run_id is not null;

-- Summaries of whole documents, each of one version as one model reads it.
create table document_summaries (
  workspace_id text not null,
  project_id text not null,
  file_id text not null,
  version integer not null,
  model text not null,
  summary text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, project_id, file_id, version, model),
  foreign key (workspace_id, project_id, file_id, version) references file_versions on delete cascade
);
