-- What was used can be asked for from a day on, in UTC; what there is counts for the day of this migration.
alter table usage_totals add column day date not null default (now() at time zone 'utc')::date;
alter table usage_totals drop constraint usage_totals_pkey;
alter table usage_totals add primary key (workspace_id, project_id, phase, model, day);
