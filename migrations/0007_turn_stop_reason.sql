-- How a turn's reply ended, in a column of its own like everything else that a turn shows; it stood beside the digest of
-- the receipt before.
alter table turns add column stop_reason text;
update turns set stop_reason = receipt->>'stop_reason', context = context - 'stop_reason' where context is not null;
