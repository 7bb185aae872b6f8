-- A project that is being imported: nothing finds it until all of it is there.
alter table projects drop constraint projects_kind_check;
alter table projects add constraint projects_kind_check check (kind in ('project', 'library', 'import'));

-- The version that was searchable where an imported file comes from. Until it is so here again, the project's state goes on
-- to name it, and nothing that was taken from it is marked as stale.
alter table files add column restored_version integer;
