-- Which build of the lexical index a file's or a turn's postings are from (LEXICAL_BUILD in src/text/postings.ts): those of
-- another build are written again. All there are so far are from the first.
alter table files add column lexical_build integer not null default 1;
alter table turns add column lexical_build integer not null default 1;
-- finds those few among all there are
create index files_by_lexical_build on files (lexical_build);
create index turns_by_lexical_build on turns (lexical_build);
