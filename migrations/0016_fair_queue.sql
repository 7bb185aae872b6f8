-- How heavy a job is: 0 a note, 1 small, 2 heavy, 3 heavy and to be done alone. Jobs of each project and weight are found in
-- the order in which they are due, and the jobs that are held without looking at those that wait.
alter table jobs add column weight smallint not null default 1;
create index jobs_of_project on jobs (workspace_id, project_id, weight, run_at);
create index jobs_held on jobs (locked_until) where locked_until is not null;
