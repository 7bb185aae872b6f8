-- The language whose rules the words of a file or a turn were indexed by; null: English, or not known. What an earlier build has
-- indexed went by English, and is indexed again.
alter table files add column language text;
alter table turns add column language text;

-- Every search by words asks which languages there are: mostly none.
create index files_in_languages on files (workspace_id, project_id, language) where language is not null;
create index turns_in_languages on turns (workspace_id, project_id, language) where language is not null;
