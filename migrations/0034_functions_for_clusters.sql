-- What triggers call, so that it can also run on the nodes of a Citus cluster, where each statement of a trigger is sent to the part of
-- a table that the project is in (`forge distribute`). On a plain server nothing changes.
--
-- A function in SQL is not planned there: these two are in PL/pgSQL now, with the same text.
drop function add_spending(text, text, text, bigint, bigint, bigint, bigint, bigint);
create function add_spending(of_workspace text, of_project text, of_model text, more_calls bigint, more_input bigint,
  more_cached bigint, more_cache_write bigint, more_output bigint) returns void language plpgsql as $$
begin
  insert into spending as s (workspace_id, month, project_id, model, calls, input_tokens, cached_tokens, cache_write_tokens,
    output_tokens)
  values (of_workspace, date_trunc('month', now() at time zone 'utc')::date, of_project, of_model, more_calls, more_input,
    more_cached, more_cache_write, more_output)
  on conflict (workspace_id, month, project_id, model) do update set calls = s.calls + excluded.calls,
    input_tokens = s.input_tokens + excluded.input_tokens, cached_tokens = s.cached_tokens + excluded.cached_tokens,
    cache_write_tokens = s.cache_write_tokens + excluded.cache_write_tokens,
    output_tokens = s.output_tokens + excluded.output_tokens;
end
$$;

create or replace function fan_out(of_workspace text, of_project text, of_event jsonb) returns void language plpgsql as $$
declare
  hook text;
begin
  for hook in
    select w.webhook_id from webhooks w
    where w.workspace_id = of_workspace and w.status = 'enabled' and (w.projects is null or of_project = any (w.projects))
      and (w.types is null or of_event ->> 'type' = any (w.types))
    order by w.seq
  loop
    insert into webhook_deliveries (workspace_id, webhook_id, project_id, event)
    values (of_workspace, hook, of_project, of_event);
  end loop;
end
$$;

-- Every node gives out numbers of a range of its own. A project that is moved to another node goes on behind its last number.
create or replace function tell(of_workspace text, of_project text, of_type text, about jsonb) returns void language plpgsql as $$
declare
  told project_events;
  last bigint;
begin
  perform pg_advisory_xact_lock(20240, (hashtextextended(of_workspace || '/' || of_project, 0) & 1023)::int);
  -- a statement of its own sees what was committed before it had the lock; an import is seen by nobody before it has ended
  if exists (select from projects
    where workspace_id = of_workspace and project_id = of_project and kind <> 'import') then
    select greatest(
      (select max(seq) from project_events where workspace_id = of_workspace and project_id = of_project),
      (select through from trimmed_feeds where workspace_id = of_workspace and project_id = of_project), 0) into last;
    insert into project_events (workspace_id, project_id, seq, type, subject, at) overriding system value
    values (of_workspace, of_project, greatest(nextval(pg_get_serial_sequence('project_events', 'seq')), last + 1), of_type,
      about, clock_timestamp())
    returning * into told;
    perform fan_out(of_workspace, of_project,
      jsonb_build_object('seq', told.seq, 'type', told.type, 'subject', told.subject, 'at', told.at));
  end if;
end
$$;

-- Of one project after the other, and not of all that have lost events in one statement.
create or replace function note_trimmed_feeds() returns trigger language plpgsql as $$
declare
  feed record;
begin
  for feed in
    select r.workspace_id, r.project_id, max(r.seq) as through from removed r group by 1, 2 order by 1, 2
  loop
    if exists (select from projects p where p.workspace_id = feed.workspace_id and p.project_id = feed.project_id) then
      insert into trimmed_feeds (workspace_id, project_id, through)
      values (feed.workspace_id, feed.project_id, feed.through)
      on conflict (workspace_id, project_id) do update set through = greatest(trimmed_feeds.through, excluded.through);
    end if;
  end loop;
  return null;
end
$$;
