-- The key that an original is encrypted with; null: it is stored as it came.
alter table file_versions add column key_id text;
