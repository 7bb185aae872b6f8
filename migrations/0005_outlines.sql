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
