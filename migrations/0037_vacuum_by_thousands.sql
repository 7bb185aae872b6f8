-- By default a table is vacuumed when a fifth of it has changed, and looked at by the planner when a tenth has: of the postings of a
-- million leaves that would be six million rows. Jobs come and go: their table stays short only if it is vacuumed often.
do $$
declare
  name text;
begin
  foreach name in array array['files', 'document_parents', 'document_leaves', 'leaf_vectors', 'leaf_postings', 'segment_postings']
  loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000,
      autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000)', name);
  end loop;
end
$$;
alter table jobs set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 500);
