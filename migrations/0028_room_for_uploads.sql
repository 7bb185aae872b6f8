-- Room of a workspace that an upload of several files holds until all of them are stored, so that of two such uploads for which
-- together there is no room one is refused as a whole. Worth some minutes: unlogged.
create unlogged table upload_room (
  workspace_id text not null references workspaces on delete cascade,
  room_id text not null,
  -- what is left of it
  files bigint not null,
  bytes bigint not null,
  -- of an upload whose process has ended
  held_until timestamptz not null,
  primary key (workspace_id, room_id)
);
alter table upload_room enable row level security;
create policy of_workspace on upload_room using (workspace_id = (select current_setting('forge.workspace', true))
  or (select current_setting('forge.workspace', true)) = '*');
