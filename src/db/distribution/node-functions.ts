/*
 * Functions that every node of a cluster runs over the parts of a table that it holds itself, so that what concerns all projects (the
 * queue, statistics) is asked of each node in one go, and a node that is down takes nothing with it but its own projects. `forge
 * distribute` writes them.
 */

/** Names of the parts of a table on the node that asks. */
const PARTS_HERE = `create or replace function parts_here(of_table text) returns setof text language sql stable as $$
  select format('%I.%I', n.nspname, c.relname || '_' || s.shardid)
  from pg_dist_shard s join pg_dist_placement p using (shardid)
    join pg_class c on c.oid = s.logicalrelid join pg_namespace n on n.oid = c.relnamespace
  where s.logicalrelid = of_table::regclass and p.groupid = (select groupid from pg_dist_local_group)
  order by s.shardid
$$`;

/**
 * Of each project and weight the jobs that are due first, and how many jobs of each project are held. The same as `FAIR_ORDER` of
 * `jobs.ts`, but for the count of a workspace, whose projects are on several nodes.
 */
const DUE_JOBS = `create or replace function due_jobs_here(heaviest int, most_of_project int, candidates int) returns json
language plpgsql set forge.workspace = '*' as $$
declare
  part text;
  of_part json;
  due json[] := '{}';
  held json[] := '{}';
begin
  for part in select parts_here('jobs') loop
    execute format($q$
      with recursive places as (
        (select workspace_id, project_id from %1$s order by workspace_id, project_id limit 1)
        union all
        select next.workspace_id, next.project_id from places p, lateral (
          select j.workspace_id, j.project_id from %1$s j
          where (j.workspace_id, j.project_id) > (p.workspace_id, p.project_id)
          order by j.workspace_id, j.project_id limit 1) next
      ), held as (
        select workspace_id, project_id, count(*)::int as jobs from %1$s where locked_until >= now() group by 1, 2
      ), first as (
        select p.workspace_id as workspace, p.project_id as project, j.job_id as id, j.attempts,
          coalesce(h.jobs, 0) as held, extract(epoch from j.run_at) + j.stands_back as due_at, j.weight
        from places p left join held h using (workspace_id, project_id),
          generate_series(0, $1) as weights (weight), lateral (
            select c.job_id, c.weight, c.run_at, c.stands_back, c.attempts from %1$s c
            where c.workspace_id = p.workspace_id and c.project_id = p.project_id and c.weight = weights.weight
              and c.run_at <= now() and (c.locked_until is null or c.locked_until < now())
            order by c.run_at limit $3) j
        where coalesce(h.jobs, 0) < $2
      )
      select json_build_object('due', (select json_agg(first) from first), 'held', (select json_agg(held) from held)) $q$, part)
    into of_part using heaviest, most_of_project, candidates;
    due := due || array(select json_array_elements(of_part -> 'due') where json_typeof(of_part -> 'due') = 'array');
    held := held || array(select json_array_elements(of_part -> 'held') where json_typeof(of_part -> 'held') = 'array');
  end loop;
  return json_build_object('due', to_json(due), 'held', to_json(held));
end
$$`;

/** Of each webhook the delivery that is due first, and the webhooks that have one under way. */
const DUE_DELIVERIES = `create or replace function due_deliveries_here() returns json
language plpgsql set forge.workspace = '*' as $$
declare
  part text;
  of_part json;
  due json[] := '{}';
  held json[] := '{}';
begin
  for part in select parts_here('webhook_deliveries') loop
    execute format($q$ select json_build_object(
      'due', (select json_agg(first) from (
        select distinct on (workspace_id, webhook_id) workspace_id as workspace, webhook_id as webhook, project_id as project,
          seq::text as seq, attempts, extract(epoch from run_at) as run_at
        from %1$s as webhook_deliveries where status = 'pending' and webhook_deliveries.run_at <= now() and (locked_until is null or locked_until < now())
        order by workspace_id, webhook_id, webhook_deliveries.run_at, webhook_deliveries.seq) first),
      'held', (select json_agg(distinct jsonb_build_array(workspace_id, webhook_id)) from %1$s
        where status = 'pending' and locked_until >= now())) $q$, part)
    into of_part;
    due := due || array(select json_array_elements(of_part -> 'due') where json_typeof(of_part -> 'due') = 'array');
    held := held || array(select json_array_elements(of_part -> 'held') where json_typeof(of_part -> 'held') = 'array');
  end loop;
  return json_build_object('due', to_json(due), 'held', to_json(held));
end
$$`;

/** Has the planner look again at the parts of some tables that have doubled since it last did (compare `statistics.ts`). */
const ANALYSE_GROWN = `create or replace function analyse_grown_here(tables text[]) returns int language plpgsql as $$
declare
  part text;
  analysed int := 0;
begin
  for part in
    select parts.name from unnest(tables) as t (name), lateral parts_here(t.name) as parts (name)
      join pg_class c on c.oid = parts.name::regclass
    where pg_relation_size(c.oid) > 2 * c.relpages * current_setting('block_size')::bigint
  loop
    execute 'analyze ' || part;
    analysed := analysed + 1;
  end loop;
  return analysed;
end
$$`;

/** Statements that write the functions, in this order. */
export const NODE_FUNCTIONS: readonly string[] = [PARTS_HERE, DUE_JOBS, DUE_DELIVERIES, ANALYSE_GROWN];
