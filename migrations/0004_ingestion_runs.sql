-- A file's ingestions are numbered: an upload, a retry and a cancel begin another one, and whatever an earlier one still
-- brings is refused.
alter table files add column run integer not null default 0;
-- While a provider is waited for: until when, and whether it had asked for fewer requests.
alter table files add column retry_at timestamptz;
alter table files add column rate_limited boolean not null default false;
-- The fidelity under which an upload is not to be taken (0 to 1); null: whatever arrives.
alter table file_versions add column min_fidelity double precision;
