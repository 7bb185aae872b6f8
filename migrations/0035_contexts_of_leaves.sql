-- What a model wrote on a leaf: where it stands in its document. Searched with the leaf, and never shown as words of the document. Kept
-- by what the leaf says, so that one which is the same in the next version keeps it; without a leaf it does no harm and is removed later.
create table leaf_contexts (
  workspace_id text not null,
  project_id text not null,
  file_id text not null,
  -- of the leaf: `document_leaves.content_hash`
  content_hash text not null,
  -- null: the model was asked, and gave none
  context text,
  -- that wrote it
  model text not null,
  primary key (workspace_id, project_id, file_id, content_hash),
  foreign key (workspace_id, project_id, file_id) references files on delete cascade
);
alter table leaf_contexts enable row level security;
create policy of_workspace on leaf_contexts using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');

-- The vector is of the leaf with its context in front.
alter table leaf_vectors add column with_context boolean not null default false;

-- Whether contexts are written; null: as the project is set, and as the service is.
alter table projects add column contextual boolean;
alter table files
  add column contextual boolean,
  add column context_state text not null default 'none'
    check (context_state in ('none', 'pending', 'ready', 'partial', 'failed')),
  -- leaves that have one, and why others have none
  add column context_leaves integer not null default 0,
  add column context_error jsonb,
  -- rises with every change of them: whoever has read them sees whether they are still the same
  add column context_revision integer not null default 0;
