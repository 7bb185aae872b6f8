-- The last turn that the conversation's summary in the state covers. 0: none yet; what stands there then is from the release
-- before, a list of the latest turns, and the first summary is made without it.
alter table projects add column summarised_through integer not null default 0;
