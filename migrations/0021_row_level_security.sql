-- A second line behind the conditions of the statements themselves: a role that does not own the tables sees and writes the
-- rows of the workspace in forge.workspace, or with * those of all, and without it none. The owner is not subject to it
-- (nothing is forced). The settings are read once a statement: a bare current_setting would be, for each row.
--
-- Without a workspace, and so without a policy: settings (of the installation), embedding_cache (vectors by the hash of their
-- text) and schema_migrations.
do $$
declare
  name text;
begin
  for name in
    select c.table_name
    from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = current_schema() and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'
    order by c.table_name
  loop
    execute format('alter table %I enable row level security', name);
    execute format(
      'create policy of_workspace on %I using (workspace_id = (select current_setting(''forge.workspace'', true))
         or (select current_setting(''forge.workspace'', true)) = ''*'')',
      name);
  end loop;
end
$$;
