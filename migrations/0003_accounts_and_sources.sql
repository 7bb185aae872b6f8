-- The version that a file's summary was made from: another searchable version makes the summary stale.
alter table files add column summary_version integer;

-- What a turn shows of its receipt: reading it out of the receipt would unpack the whole prompt, and lists of turns show
-- it too.
alter table turns add column context jsonb;
alter table turns add column used_stale jsonb not null default '[]';
alter table turns add column limits_applied jsonb not null default '[]';

-- Model calls that belong to no turn's row, summed up as they are made: files' summaries and embeddings.
create table usage_totals (
  workspace_id text not null,
  project_id text not null,
  phase text not null,
  model text not null,
  calls bigint not null default 0,
  input_tokens bigint not null default 0,
  cached_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  primary key (workspace_id, project_id, phase, model),
  foreign key (workspace_id, project_id) references projects on delete cascade
);
