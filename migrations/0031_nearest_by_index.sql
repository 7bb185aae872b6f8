-- The vectors of some files, where a project has so many that not all are compared. On a server that holds many vectors already:
-- create it beforehand with `create index concurrently if not exists vectors_by_file ...`, which nobody waits for.
create index if not exists vectors_by_file on leaf_vectors (file_id, project_id, workspace_id);

-- The leaves whose vectors are nearest to the asked one, by the approximate index of a large project (src/db/vector-indexes.ts). That is
-- a partial one, of the project alone: the statement has to name the project in so many words, so it is put together here. `files`
-- keeps those of some files; null lets all through. The distance is exact, of the vector in full.
create function nearest_by_index(
  asked_workspace text, asked_project text, asked text, dimensions integer, most integer, files text[]
) returns table (leaf_id text, distance double precision)
language plpgsql rows 100 as $$
begin
  -- how many the index keeps in sight: with 100, .96 of the ten nearest of 100,000 were found
  perform set_config('hnsw.ef_search', least(1000, greatest(250, 2 * most))::text, true);
  -- pgvector 0.8 and later goes on looking where a filter lets few through
  if current_setting('hnsw.iterative_scan', true) is not null then
    perform set_config('hnsw.iterative_scan', 'strict_order', true);
  end if;
  return query execute format(
    'select v.leaf_id, (v.embedding <#> %4$L::vector)::double precision from leaf_vectors v
     where v.workspace_id = %1$L and v.project_id = %2$L and vector_dims(v.embedding) = %3$s
       and ($1 is null or v.file_id = any($1))
     order by v.embedding::halfvec(%3$s) <#> %4$L::halfvec(%3$s) limit %5$s',
    asked_workspace, asked_project, dimensions, asked, most
  ) using files;
end
$$;

-- The few files whose vectors are being made: every search counts them.
create index files_with_pending_vectors on files (workspace_id, project_id) where vectors_pending > 0;
