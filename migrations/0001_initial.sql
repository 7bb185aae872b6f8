-- Every key starts with the workspace and the project, and every foreign key carries both: deleting a project is one
-- statement. What has to be changed before the tables can be distributed by project, `forge distribute` changes.

create extension if not exists vector;

create table workspaces (
  workspace_id text primary key,
  name text not null,
  created_at timestamptz not null default now()
);

insert into workspaces (workspace_id, name) values ('default', 'Default');

create table api_keys (
  workspace_id text not null references workspaces on delete cascade,
  key_id text not null,
  name text not null,
  key_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (workspace_id, key_id)
);

create table projects (
  workspace_id text not null references workspaces on delete cascade,
  project_id text not null,
  kind text not null default 'project' check (kind in ('project', 'library')),
  name text not null,
  state jsonb not null,
  state_version integer not null default 1,
  -- breaks ties between projects of one microsecond, so that pages are stable
  seq bigint generated always as identity,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, project_id)
);
create unique index one_library_per_workspace on projects (workspace_id) where kind = 'library';
create index projects_in_order on projects (workspace_id, seq);

create table files (
  workspace_id text not null,
  project_id text not null,
  file_id text not null,
  name text not null,
  media_type text not null,
  status text not null check (status in ('queued', 'in_progress', 'completed', 'failed')),
  stage text check (stage in ('converting', 'chunking', 'embedding', 'storing', 'summarizing')),
  chunks_done integer not null default 0,
  chunks_total integer not null default 0,
  -- the newest upload, and the version that search sees (null until one was ready)
  version integer not null,
  searchable_version integer,
  chunk_count integer not null default 0,
  parent_count integer not null default 0,
  token_estimate integer not null default 0,
  -- sum of the leaves' lengths in terms: what BM25 normalises by
  lexical_length bigint not null default 0,
  summary text,
  summary_status text not null default 'pending' check (summary_status in ('pending', 'completed', 'failed')),
  attempt integer not null default 0,
  last_error jsonb,
  seq bigint generated always as identity,
  uploaded_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, project_id, file_id),
  unique (workspace_id, project_id, name),
  foreign key (workspace_id, project_id) references projects on delete cascade
);
create index files_in_order on files (workspace_id, project_id, seq);

create table file_versions (
  workspace_id text not null,
  project_id text not null,
  file_id text not null,
  version integer not null,
  media_type text not null,
  bytes bytea not null,
  byte_length integer not null,
  sha256 text not null,
  chunking jsonb not null,
  format text,
  markdown text,
  fidelity jsonb,
  outline jsonb,
  outline_digest text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, project_id, file_id, version),
  foreign key (workspace_id, project_id, file_id) references files on delete cascade
);
-- uploads are mostly compressed already
alter table file_versions alter column bytes set storage external;

-- Parents and leaves are those of the file's searchable version; a new version replaces them in one transaction, and
-- what did not change keeps its id.
create table document_parents (
  workspace_id text not null,
  project_id text not null,
  parent_id text not null,
  file_id text not null,
  version integer not null,
  parent_index integer not null,
  header_path text[] not null,
  breadcrumb text not null,
  text text not null,
  char_start integer not null,
  char_end integer not null,
  page integer,
  tokens integer not null,
  primary key (workspace_id, project_id, parent_id),
  foreign key (workspace_id, project_id, file_id) references files on delete cascade
);
create index parents_of_file on document_parents (workspace_id, project_id, file_id, parent_index);

create table document_leaves (
  workspace_id text not null,
  project_id text not null,
  leaf_id text not null,
  file_id text not null,
  version integer not null,
  parent_id text not null,
  leaf_index integer not null,
  header_path text[] not null,
  breadcrumb text not null,
  text text not null,
  char_start integer not null,
  char_end integer not null,
  page integer,
  tokens integer not null,
  content_hash text not null,
  oversized boolean not null default false,
  primary key (workspace_id, project_id, leaf_id),
  foreign key (workspace_id, project_id, file_id) references files on delete cascade,
  -- deferred: a new version moves leaves to new parents before the old parents go
  foreign key (workspace_id, project_id, parent_id) references document_parents deferrable initially deferred
);
create index leaves_of_file on document_leaves (workspace_id, project_id, file_id, leaf_index);
create index leaves_of_parent on document_leaves (workspace_id, project_id, parent_id);

-- Vectors stand in a narrow table of their own, in the row itself: scanning a project touches nothing else.
create table leaf_vectors (
  workspace_id text not null,
  project_id text not null,
  leaf_id text not null,
  embedding vector not null,
  primary key (workspace_id, project_id, leaf_id),
  foreign key (workspace_id, project_id, leaf_id) references document_leaves on delete cascade
);
alter table leaf_vectors alter column embedding set storage plain;

-- The lexical index: for each term of a file the leaves that have it, how often, and how long they are in terms, packed
-- (src/retrieval/packed-postings.ts). A file's rows are written and removed together, like a segment of a search engine.
create table leaf_postings (
  workspace_id text not null,
  project_id text not null,
  term text not null,
  file_id text not null,
  leaf_count integer not null,
  packed bytea not null,
  primary key (workspace_id, project_id, term, file_id),
  foreign key (workspace_id, project_id, file_id) references files on delete cascade
);
-- read as a whole by every query that has the term: unpacking it would cost more than the space
alter table leaf_postings alter column packed set storage external;
create index postings_of_file on leaf_postings (workspace_id, project_id, file_id);

create table turns (
  workspace_id text not null,
  project_id text not null,
  turn_number integer not null,
  status text not null check (status in ('in_progress', 'completed', 'failed', 'cancelled')),
  message text not null,
  priming boolean not null default false,
  options jsonb not null default '{}',
  response text,
  probe text,
  routing jsonb,
  citations jsonb not null default '[]',
  state_changes jsonb not null default '[]',
  receipt jsonb,
  usage jsonb,
  timings_ms jsonb,
  model text,
  error jsonb,
  -- terms of message and reply: the length that BM25 normalises by; null until indexed
  lexical_length integer,
  attempt integer not null default 1,
  locked_by text,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (workspace_id, project_id, turn_number),
  foreign key (workspace_id, project_id) references projects on delete cascade
);
create unique index one_running_turn on turns (workspace_id, project_id) where status = 'in_progress';

create table turn_summaries (
  workspace_id text not null,
  project_id text not null,
  turn_number integer not null,
  summary text not null,
  source text not null check (source in ('model', 'extract')),
  embedding vector,
  created_at timestamptz not null default now(),
  primary key (workspace_id, project_id, turn_number),
  foreign key (workspace_id, project_id, turn_number) references turns on delete cascade
);
alter table turn_summaries alter column embedding set storage plain;

create table turn_postings (
  workspace_id text not null,
  project_id text not null,
  term text not null,
  turn_number integer not null,
  frequency integer not null,
  primary key (workspace_id, project_id, term, turn_number),
  foreign key (workspace_id, project_id, turn_number) references turns on delete cascade
);
create index postings_of_turn on turn_postings (workspace_id, project_id, turn_number);

create table turn_events (
  workspace_id text not null,
  project_id text not null,
  turn_number integer not null,
  seq integer not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, project_id, turn_number, seq),
  foreign key (workspace_id, project_id, turn_number) references turns on delete cascade
);

create table research_runs (
  workspace_id text not null,
  project_id text not null,
  run_id text not null,
  status text not null,
  question text not null,
  answer text,
  steps jsonb not null default '[]',
  citations jsonb not null default '[]',
  candidates jsonb not null default '[]',
  usage jsonb,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (workspace_id, project_id, run_id),
  foreign key (workspace_id, project_id) references projects on delete cascade
);

create table jobs (
  workspace_id text not null,
  project_id text not null,
  job_id uuid not null default gen_random_uuid(),
  kind text not null,
  -- what the job is about (a file id, a turn number): there is one waiting job of a kind for a subject
  subject text not null,
  payload jsonb not null default '{}',
  attempts integer not null default 0,
  max_attempts integer not null,
  run_at timestamptz not null default now(),
  locked_by text,
  locked_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, project_id, job_id),
  foreign key (workspace_id, project_id) references projects on delete cascade
);
create index jobs_to_claim on jobs (run_at);
create index jobs_of_subject on jobs (workspace_id, project_id, kind, subject);

create table idempotency_keys (
  workspace_id text not null references workspaces on delete cascade,
  caller text not null,
  idempotency_key text not null,
  fingerprint text not null,
  status integer,
  headers jsonb,
  body text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, caller, idempotency_key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Vectors by what was embedded: text is not kept, so a deleted document leaves nothing readable here.
create table embedding_cache (
  model text not null,
  dimensions integer not null,
  input_hash text not null,
  embedding vector not null,
  used_at timestamptz not null default now(),
  primary key (model, dimensions, input_hash)
);
create index embedding_cache_by_age on embedding_cache (used_at);

create table settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
