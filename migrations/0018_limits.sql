-- How much of what an API key may ask for in a minute is left. Nothing is lost with a crash but what was counted: a bucket
-- that is not there is full. Rows of full buckets are swept, so that nothing has to refer to keys.
create unlogged table rate_limits (
  workspace_id text not null,
  key_id text not null,
  -- requests, or expensive ones
  class text not null,
  -- left in the bucket at that time, and how many the last statement has taken
  tokens double precision not null,
  at timestamptz not null,
  granted integer not null,
  primary key (workspace_id, key_id, class)
) with (fillfactor = 50);
create index rate_limits_by_time on rate_limits (at);

-- A key's own limits; null: those of the service.
alter table api_keys add column rate_limits jsonb;

-- What a workspace may hold and spend, where that is not as the service is set: a number, or null for no limit.
alter table workspaces add column quotas jsonb not null default '{}';
create index file_versions_by_size on file_versions (workspace_id) include (byte_length);
create index running_research on research_runs (workspace_id, project_id) where status = 'in_progress';

-- What a workspace has spent in a month, in UTC, counted from this migration on. It outlives the projects and turns that it
-- was spent on: what was deleted is paid for all the same. By project, so that projects do not wait for each other.
create table spending (
  workspace_id text not null references workspaces on delete cascade,
  month date not null,
  project_id text not null,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  primary key (workspace_id, month, project_id, model)
);

-- By triggers, so that nothing that notes usage can forget it, an older release beside this one included.
create function add_spending(of_workspace text, of_project text, model text, calls bigint, input_tokens bigint,
  cached_tokens bigint, cache_write_tokens bigint, output_tokens bigint) returns void language sql as $$
  insert into spending as s values ($1, date_trunc('month', now() at time zone 'utc')::date, $2, $3, $4, $5, $6, $7, $8)
  on conflict (workspace_id, month, project_id, model) do update set calls = s.calls + excluded.calls,
    input_tokens = s.input_tokens + excluded.input_tokens, cached_tokens = s.cached_tokens + excluded.cached_tokens,
    cache_write_tokens = s.cache_write_tokens + excluded.cache_write_tokens,
    output_tokens = s.output_tokens + excluded.output_tokens
$$;

-- A turn or a run: what its usage has grown by. Those that are imported are inserted with theirs, and were paid for elsewhere.
create function spend_by_usage() returns trigger language plpgsql as $$
begin
  perform add_spending(new.workspace_id, new.project_id, grown.model, grown.calls, grown.input_tokens,
    grown.cached_tokens, grown.cache_write_tokens, grown.output_tokens)
  from (
    select used->>'model' as model, sum(sign * (used->>'calls')::bigint)::bigint as calls,
      sum(sign * (used->>'input_tokens')::bigint)::bigint as input_tokens,
      sum(sign * (used->>'cached_tokens')::bigint)::bigint as cached_tokens,
      sum(sign * (used->>'cache_write_tokens')::bigint)::bigint as cache_write_tokens,
      sum(sign * (used->>'output_tokens')::bigint)::bigint as output_tokens
    from (
      select 1 as sign, value as used from jsonb_each(new.usage->'by_phase')
      union all
      select -1, value from jsonb_each(old.usage->'by_phase')
    ) phases
    group by used->>'model'
    -- always in the same order, or two could wait for each other
    order by used->>'model'
  ) grown
  where grown.calls <> 0 or grown.input_tokens <> 0 or grown.output_tokens <> 0;
  return null;
end
$$;
create trigger spend_by_turn after update of usage on turns for each row
  when (old.usage is distinct from new.usage) execute function spend_by_usage();
create trigger spend_by_run after update of usage on research_runs for each row
  when (old.usage is distinct from new.usage) execute function spend_by_usage();

-- Calls that belong to no turn; those of an import were paid for elsewhere.
create function spend_by_total() returns trigger language plpgsql as $$
begin
  if exists (select from projects
      where workspace_id = new.workspace_id and project_id = new.project_id and kind = 'import') then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform add_spending(new.workspace_id, new.project_id, new.model, new.calls, new.input_tokens, new.cached_tokens,
      new.cache_write_tokens, new.output_tokens);
  else
    perform add_spending(new.workspace_id, new.project_id, new.model, new.calls - old.calls,
      new.input_tokens - old.input_tokens, new.cached_tokens - old.cached_tokens,
      new.cache_write_tokens - old.cache_write_tokens, new.output_tokens - old.output_tokens);
  end if;
  return null;
end
$$;
create trigger spend_by_total after insert or update on usage_totals for each row execute function spend_by_total();
