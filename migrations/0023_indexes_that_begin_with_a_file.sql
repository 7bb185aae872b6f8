-- A foreign key looks up each row by workspace, project and id. On a table of which no statistics are known yet, an index that
-- begins with workspace and project costs the planner the same as the primary key, and the newer one is taken: each row that was
-- stored read all the rows of the project, a hundred times as slow. These begin with what only their own searches give.
create index parents_by_file on document_parents (file_id, project_id, workspace_id, parent_index);
create index leaves_by_file on document_leaves (file_id, project_id, workspace_id, leaf_index);
create index leaves_by_parent on document_leaves (parent_id, project_id, workspace_id);
create index postings_by_file on leaf_postings (file_id, project_id, workspace_id);
drop index parents_of_file;
drop index leaves_of_file;
drop index leaves_of_parent;
drop index postings_of_file;
