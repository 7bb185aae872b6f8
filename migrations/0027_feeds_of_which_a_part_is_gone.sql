-- Up to which number events of a feed have been removed since they had grown old, so that a reader who stands before it can be
-- told that he has missed some. By a trigger, so that an older release beside this one notes it as well. Without a foreign key:
-- what is being deleted is waited for by nobody here.
create table trimmed_feeds (
  workspace_id text not null,
  project_id text not null,
  through bigint not null,
  primary key (workspace_id, project_id)
);
alter table trimmed_feeds enable row level security;
create policy of_workspace on trimmed_feeds using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');

create function note_trimmed_feeds() returns trigger language plpgsql as $$
begin
  insert into trimmed_feeds (workspace_id, project_id, through)
  select workspace_id, project_id, max(r.seq) from removed r join projects p using (workspace_id, project_id)
  group by workspace_id, project_id order by workspace_id, project_id
  on conflict (workspace_id, project_id) do update set through = greatest(trimmed_feeds.through, excluded.through);
  return null;
end
$$;
create trigger note_trimmed_feeds after delete on project_events
  referencing old table as removed for each statement execute function note_trimmed_feeds();

-- As in 0024, and what was noted of a project goes with it. What was noted at the moment of its deletion may stay behind: it goes
-- when there is a project of that id again.
create or replace function tell_of_project() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- what it told goes with it: under the lock, so that nobody adds to it any more
    perform pg_advisory_xact_lock(20240, (hashtextextended(old.workspace_id || '/' || old.project_id, 0) & 1023)::int);
    delete from project_events where workspace_id = old.workspace_id and project_id = old.project_id
      and not exists (select from projects where workspace_id = old.workspace_id and project_id = old.project_id);
    delete from trimmed_feeds where workspace_id = old.workspace_id and project_id = old.project_id
      and not exists (select from projects where workspace_id = old.workspace_id and project_id = old.project_id);
  elsif tg_op = 'INSERT' or old.kind = 'import' and new.kind <> 'import' then
    delete from trimmed_feeds where workspace_id = new.workspace_id and project_id = new.project_id;
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
