import { integer, withDefault } from './schemas.ts';

/** So many days, or versions; 0: for ever, or all. */
const kept = withDefault(integer(0, 36_500), 0);

/** The settings of what is removed by itself when it has grown old. */
export const retentionSettings = {
  RETENTION_TURNS_DAYS: kept,
  RETENTION_RECEIPTS_DAYS: kept,
  RETENTION_EVENTS_DAYS: kept,
  RETENTION_RESEARCH_DAYS: kept,
  RETENTION_AUDIT_DAYS: kept,
  RETENTION_FEED_DAYS: withDefault(integer(0, 36_500), 90),
  RETENTION_FILE_VERSIONS: kept,
};
