-- What has changed in each project and in the library, in the order in which it was committed: names and numbers, nothing of any
-- content. By triggers, so that nothing that changes something can forget it, an older release beside this one included.
create table project_events (
  workspace_id text not null,
  project_id text not null,
  -- of all projects: it grows from event to event of each, with gaps
  seq bigint generated always as identity,
  type text not null,
  -- what it is about, by its names and numbers
  subject jsonb not null,
  at timestamptz not null,
  primary key (workspace_id, project_id, seq)
);
create index project_events_by_time on project_events (at);
alter table project_events enable row level security;
create policy of_workspace on project_events using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');

-- Writes an event of a project that there is. A reader goes on after the highest number that it has seen, so no event may be
-- committed after one with a higher number: whoever takes a number holds a lock until it has committed. The triggers are deferred
-- to the commit: the lock is taken after all others, for as long as the commit takes, so that nobody who has it waits for anybody.
-- There are 1,024 of these locks, and not one for each project, since the server has room for some thousands.
create function tell(of_workspace text, of_project text, of_type text, about jsonb) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(20240, (hashtextextended(of_workspace || '/' || of_project, 0) & 1023)::int);
  -- a statement of its own sees what was committed before it had the lock; an import is seen by nobody before it has ended
  if exists (select from projects
    where workspace_id = of_workspace and project_id = of_project and kind <> 'import') then
    insert into project_events (workspace_id, project_id, type, subject, at)
    values (of_workspace, of_project, of_type, about, clock_timestamp());
  end if;
end
$$;

create function tell_of_file() returns trigger language plpgsql as $$
declare
  file files := coalesce(new, old);
  about jsonb := jsonb_build_object('name', file.name, 'version', file.version);
begin
  if tg_op = 'INSERT' then
    perform tell(file.workspace_id, file.project_id, 'file.created', about);
  elsif tg_op = 'DELETE' then
    perform tell(file.workspace_id, file.project_id, 'file.deleted', about);
  else
    if new.name <> old.name then
      perform tell(file.workspace_id, file.project_id, 'file.renamed', about || jsonb_build_object('previous_name', old.name));
    end if;
    if new.version <> old.version then
      perform tell(file.workspace_id, file.project_id, 'file.version_created', about);
    end if;
    if new.searchable_version is distinct from old.searchable_version then
      perform tell(file.workspace_id, file.project_id, 'file.searchable', about || jsonb_build_object('version', new.searchable_version));
    end if;
    if new.summary_version is distinct from old.summary_version then
      perform tell(file.workspace_id, file.project_id, 'file.summarized', about || jsonb_build_object('version', new.summary_version));
    end if;
    if new.status <> old.status or new.version <> old.version or new.run <> old.run then
      perform tell(file.workspace_id, file.project_id,
        'file.' || case new.status when 'in_progress' then 'started' else new.status end, about);
    end if;
  end if;
  return null;
end
$$;
create constraint trigger tell_of_file after insert or delete on files
  deferrable initially deferred for each row execute function tell_of_file();
create constraint trigger tell_of_changed_file after update of name, version, run, status, searchable_version, summary_version on files
  deferrable initially deferred for each row
  when (new.name <> old.name or new.version <> old.version or new.run <> old.run or new.status <> old.status
    or new.searchable_version is distinct from old.searchable_version or new.summary_version is distinct from old.summary_version)
  execute function tell_of_file();

create function tell_of_outline() returns trigger language plpgsql as $$
declare
  name text := (select f.name from files f
    where f.workspace_id = new.workspace_id and f.project_id = new.project_id and f.file_id = new.file_id);
begin
  if name is not null then
    perform tell(new.workspace_id, new.project_id, 'file.outlined', jsonb_build_object('name', name, 'version', new.version));
  end if;
  return null;
end
$$;
create constraint trigger tell_of_outline after update of outline_digest on file_versions
  deferrable initially deferred for each row
  when (new.outline_digest is not null and new.outline_digest is distinct from old.outline_digest)
  execute function tell_of_outline();

create function tell_of_turn() returns trigger language plpgsql as $$
begin
  perform tell(new.workspace_id, new.project_id,
    'turn.' || case when new.status = 'in_progress' then 'started' when tg_op = 'INSERT' then 'imported' else new.status end,
    jsonb_build_object('turn_number', new.turn_number));
  return null;
end
$$;
create constraint trigger tell_of_turn after insert on turns
  deferrable initially deferred for each row execute function tell_of_turn();
create constraint trigger tell_of_changed_turn after update of status, attempt on turns
  deferrable initially deferred for each row
  when (new.status <> old.status or new.attempt <> old.attempt) execute function tell_of_turn();

create function tell_of_run() returns trigger language plpgsql as $$
begin
  perform tell(new.workspace_id, new.project_id,
    'run.' || case when new.status = 'in_progress' then 'started' else new.status end,
    jsonb_build_object('run_id', new.run_id));
  return null;
end
$$;
create constraint trigger tell_of_run after insert on research_runs
  deferrable initially deferred for each row execute function tell_of_run();
create constraint trigger tell_of_changed_run after update of status, attempt on research_runs
  deferrable initially deferred for each row
  when (new.status <> old.status or new.attempt <> old.attempt) execute function tell_of_run();

create function tell_of_project() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- what it told goes with it: under the lock, so that nobody adds to it any more
    perform pg_advisory_xact_lock(20240, (hashtextextended(old.workspace_id || '/' || old.project_id, 0) & 1023)::int);
    delete from project_events where workspace_id = old.workspace_id and project_id = old.project_id
      and not exists (select from projects where workspace_id = old.workspace_id and project_id = old.project_id);
  elsif tg_op = 'INSERT' or old.kind = 'import' and new.kind <> 'import' then
    perform tell(new.workspace_id, new.project_id, 'project.created', '{}');
  else
    if new.name <> old.name then
      perform tell(new.workspace_id, new.project_id, 'project.renamed', '{}');
    end if;
    if new.state_version <> old.state_version then
      perform tell(new.workspace_id, new.project_id, 'state.changed', jsonb_build_object('version', new.state_version));
    end if;
  end if;
  return null;
end
$$;
create constraint trigger tell_of_project after insert or delete on projects
  deferrable initially deferred for each row execute function tell_of_project();
create constraint trigger tell_of_changed_project after update of name, kind, state_version on projects
  deferrable initially deferred for each row
  when (new.name <> old.name or new.kind <> old.kind or new.state_version <> old.state_version)
  execute function tell_of_project();
