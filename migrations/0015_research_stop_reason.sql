-- How the answer of a run ended, as a turn says it: an answer that was cut off is told from a whole one.
alter table research_runs add column stop_reason text;
