-- A first version can be searched by its words before its leaves have their vectors: how many of them lack one.
alter table files add column vectors_pending integer not null default 0;

-- The release before this one knows nothing of it, and may take up what this one has begun. It takes a version that is searchable for
-- one that is done: it would leave the vectors out for ever, where a failed file can be retried. And what it makes searchable is whole.
create function settle_vectors_pending() returns trigger language plpgsql as $$
begin
  if new.searchable_version is distinct from old.searchable_version and new.vectors_pending = old.vectors_pending then
    new.vectors_pending := 0;
  end if;
  if new.status = 'completed' and new.vectors_pending > 0 then
    new.status := 'failed';
    new.last_error := coalesce(new.last_error, jsonb_build_object('code', 'embedding_unavailable', 'retryable', true,
      'message', 'Some of the sections have no vector yet. The file is found by its words: retry it, and the rest is embedded.'));
  end if;
  return new;
end
$$;
create trigger settle_vectors_pending before update of status, searchable_version on files
  for each row when (old.vectors_pending > 0) execute function settle_vectors_pending();
