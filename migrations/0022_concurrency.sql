-- How many turns or research runs of a workspace are under way, for a transaction that begins one more: whoever else would,
-- waits until it has ended. A function, since each of its statements sees what was committed before it began, while the statement
-- that calls it has seen less. What was abandoned by its worker does not count.
--
-- The lock is one of its own and not the workspace's row, which uploads hold for as long as their bytes take to be committed;
-- nothing that waits for another is done under it. Two workspaces whose hashes are the same merely wait for each other.
create function hold_running(of_kind text, of_workspace text) returns bigint language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(of_kind || ' of ' || of_workspace, 0));
  if of_kind = 'turns' then
    return (select count(*) from turns
      where workspace_id = of_workspace and status = 'in_progress' and locked_until >= now());
  end if;
  return (select count(*) from research_runs
    where workspace_id = of_workspace and status = 'in_progress' and locked_until >= now());
end
$$;

-- What all instances together have asked of a provider lately, and until when it has asked for a pause. Of no workspace, and worth
-- a day at most: unlogged, so that its commits wait for no disk.
create unlogged table provider_rates (
  -- and its model
  provider text primary key,
  -- by limit, what was used within parts of its span: [[begin in milliseconds, amount], ...]
  windows jsonb not null default '{}',
  paused_until timestamptz
) with (fillfactor = 50);
