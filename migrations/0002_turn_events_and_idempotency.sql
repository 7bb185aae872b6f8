-- Each attempt at a turn numbers its events from a range of its own, so a number never comes twice.
alter table turn_events alter column seq type bigint;
-- as it was sent, members in their order
alter table turn_events alter column data type json using data::json;

-- A key is held by whoever runs its request, until then; and a key that made a turn stands for that turn.
alter table idempotency_keys
  add column holder text,
  add column locked_until timestamptz,
  add column project_id text,
  add column turn_number integer,
  add column attempt integer,
  add foreign key (workspace_id, project_id, turn_number) references turns on delete cascade;
create index idempotency_keys_of_turn on idempotency_keys (workspace_id, project_id, turn_number)
  where turn_number is not null;
