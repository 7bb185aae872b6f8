-- A key may end by itself, and says who made it; keys and workspaces are listed in the order they were made.
alter table api_keys add column expires_at timestamptz;
alter table api_keys add column created_by text;
alter table api_keys add column seq bigint generated always as identity;
create index api_keys_in_order on api_keys (workspace_id, seq);
alter table workspaces add column seq bigint generated always as identity;

-- Who did what to which resource, and how it ended: never what was in it.
create table audit_events (
  workspace_id text not null references workspaces on delete cascade,
  seq bigint generated always as identity,
  at timestamptz not null,
  -- the caller: key:ID, open, cli
  actor text not null,
  -- what it was called then: a key may be gone by now
  actor_name text not null,
  -- the operationId of the contract
  action text not null,
  -- the address of what was made or changed
  resource text not null,
  status integer not null,
  request_id text not null,
  address text,
  primary key (workspace_id, seq)
);
create index audit_events_by_time on audit_events (workspace_id, at);
