-- The deliveries of a webhook that are under way, without looking at those that wait.
create index webhook_deliveries_held on webhook_deliveries (workspace_id, webhook_id)
  where status = 'pending' and locked_until is not null;
