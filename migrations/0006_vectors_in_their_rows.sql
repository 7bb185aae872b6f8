-- A vector alone is more than the 2 kB from which Postgres moves the longest texts of a row elsewhere: the ids of file and
-- leaf went, and each scan fetched them back one by one. They stay in their rows now, and those that went come back.
alter table leaf_vectors set (toast_tuple_target = 8160);
alter table turn_summaries set (toast_tuple_target = 8160);
alter table leaf_vectors alter column leaf_id type text using leaf_id || '';
