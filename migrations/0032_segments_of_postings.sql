-- The postings of a large project once more, of many files in one row (src/db/segments.ts): a query reads a row for each term and
-- segment, and not for each term and file. A segment is written once and never changed. A file is in one at most; what a segment has
-- of a file that was indexed again since, as lexical_revision tells, or is gone, does not count.
alter table files
  add column lexical_revision integer not null default 0,
  add column segment_id uuid;
-- A release before this one puts other postings in the place of a file's, and says nothing of it.
create function leave_segment() returns trigger language plpgsql as $$
begin
  if new.lexical_revision = old.lexical_revision then
    new.lexical_revision := old.lexical_revision + 1;
    new.segment_id := null;
  end if;
  return new;
end
$$;
create trigger leaves_segment before update of searchable_version, lexical_build on files for each row
  when (old.segment_id is not null and
    (new.searchable_version is distinct from old.searchable_version or new.lexical_build is distinct from old.lexical_build))
  execute function leave_segment();
create index files_outside_segments on files (workspace_id, project_id)
  where segment_id is null and searchable_version is not null;

create table posting_segments (
  workspace_id text not null,
  project_id text not null,
  segment_id uuid not null,
  leaves integer not null,
  -- columns of equal length, by a file's place in the segment: its leaves, its terms, and which of its indexings this is
  file_ids text[] not null,
  leaf_counts integer[] not null,
  lengths integer[] not null,
  revisions integer[] not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, project_id, segment_id),
  foreign key (workspace_id, project_id) references projects on delete cascade
);

create table segment_postings (
  workspace_id text not null,
  project_id text not null,
  term text not null,
  segment_id uuid not null,
  file_count integer not null,
  leaf_count integer not null,
  -- for each file its place, how many of its leaves have the term (two bytes each), and its packed postings
  packed bytea not null,
  primary key (workspace_id, project_id, term, segment_id),
  foreign key (workspace_id, project_id, segment_id) references posting_segments on delete cascade
);
-- read as a whole, like leaf_postings
alter table segment_postings alter column packed set storage external;
create index postings_of_segment on segment_postings (workspace_id, project_id, segment_id);

alter table posting_segments enable row level security;
create policy of_workspace on posting_segments using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');
alter table segment_postings enable row level security;
create policy of_workspace on segment_postings using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');
