-- What a stored outline was made from (sha-256 of the Markdown, hex), by which build of the extraction, and when. One that
-- does not fit its Markdown, or is of another build, is made again.
alter table file_versions add column outline_source text;
alter table file_versions add column outline_build integer;
alter table file_versions add column outlined_at timestamptz;

-- Edits of one file close after each other are one rebuild: since when one is due, and when the last one began.
alter table files add column edited_since timestamptz;
alter table files add column rebuilt_at timestamptz;

-- Seconds that a job stands back for smaller ones that are due at the same time.
alter table jobs add column stands_back integer not null default 0;

-- Whose leaf it is, beside its vector: a search within some files reads nothing but this narrow table either.
alter table leaf_vectors add column file_id text;
update leaf_vectors v set file_id = l.file_id from document_leaves l
  where l.workspace_id = v.workspace_id and l.project_id = v.project_id and l.leaf_id = v.leaf_id;
alter table leaf_vectors alter column file_id set not null;
