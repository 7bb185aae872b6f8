-- Addresses that are sent what changes in a workspace, and what was sent to them.
create table webhooks (
  workspace_id text not null references workspaces on delete cascade,
  webhook_id text not null,
  seq bigint generated always as identity,
  url text not null,
  description text not null default '',
  -- null: of all projects and of the library, and of all types
  projects text[],
  types text[],
  -- by itself after deliveries that were given up, or because its receiver or its owner has said so
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('asked', 'failing', 'gone')),
  -- deliveries that were given up, one after another
  failures integer not null default 0,
  -- and the key that it is encrypted with; null: as it is
  secret bytea not null,
  secret_key_id text,
  -- the one before: it signs, too, for a while
  previous_secret bytea,
  previous_key_id text,
  previous_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, webhook_id)
);
create index webhooks_in_order on webhooks (workspace_id, seq);

-- Without a foreign key: what tells of a change must not fail because a webhook is being deleted. What is left over is removed later.
create table webhook_deliveries (
  workspace_id text not null,
  webhook_id text not null,
  seq bigint generated always as identity,
  -- null: the library
  project_id text,
  -- what is sent: number, type, subject and time
  event jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- of each attempt its time, the answer's status, how long it took, and why it failed
  log jsonb not null default '[]',
  run_at timestamptz not null default now(),
  locked_by text,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, webhook_id, seq)
);
create index webhook_deliveries_due on webhook_deliveries (workspace_id, webhook_id, run_at, seq) where status = 'pending';
create index webhook_deliveries_by_time on webhook_deliveries (created_at);

alter table webhooks enable row level security;
create policy of_workspace on webhooks using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');
alter table webhook_deliveries enable row level security;
create policy of_workspace on webhook_deliveries using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');

-- A delivery for each webhook that asks for an event, in the transaction of the event.
create function fan_out(of_workspace text, of_project text, of_event jsonb) returns void language sql as $$
  insert into webhook_deliveries (workspace_id, webhook_id, project_id, event)
  select w.workspace_id, w.webhook_id, of_project, of_event from webhooks w
  where w.workspace_id = of_workspace and w.status = 'enabled' and (w.projects is null or of_project = any (w.projects))
    and (w.types is null or of_event ->> 'type' = any (w.types))
  order by w.seq
$$;

create or replace function tell(of_workspace text, of_project text, of_type text, about jsonb) returns void language plpgsql as $$
declare
  told project_events;
begin
  perform pg_advisory_xact_lock(20240, (hashtextextended(of_workspace || '/' || of_project, 0) & 1023)::int);
  -- a statement of its own sees what was committed before it had the lock; an import is seen by nobody before it has ended
  if exists (select from projects
    where workspace_id = of_workspace and project_id = of_project and kind <> 'import') then
    insert into project_events (workspace_id, project_id, type, subject, at)
    values (of_workspace, of_project, of_type, about, clock_timestamp()) returning * into told;
    perform fan_out(of_workspace, of_project,
      jsonb_build_object('seq', told.seq, 'type', told.type, 'subject', told.subject, 'at', told.at));
  end if;
end
$$;

-- What a project has told goes with it; that it has gone, webhooks are told.
create function tell_of_deleted_project() returns trigger language plpgsql as $$
begin
  if old.kind = 'project' then
    perform fan_out(old.workspace_id, old.project_id, jsonb_build_object(
      'seq', nextval(pg_get_serial_sequence('project_events', 'seq')), 'type', 'project.deleted', 'subject', '{}'::jsonb,
      'at', clock_timestamp()));
  end if;
  return null;
end
$$;
create constraint trigger tell_of_project_deleted after delete on projects
  deferrable initially deferred for each row execute function tell_of_deleted_project();
