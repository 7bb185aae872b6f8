import type { Database } from './database.ts';
import { askNodes, isOnCluster } from './distribution/nodes.ts';

/** The tables whose size decides how a search is planned. */
const SEARCHED = [
  'files',
  'document_parents',
  'document_leaves',
  'leaf_vectors',
  'leaf_postings',
  'segment_postings',
  'turn_postings',
];

/**
 * Has the planner look again at the searched tables that have doubled since it last did: called after an ingest. The
 * embedded database never does so by itself, a server only after a while, and a search planned for an empty table was
 * seen to take ten times as long.
 */
export async function refreshStatistics(db: Database): Promise<void> {
  if (await isOnCluster(db)) {
    await askNodes(db, `select analyse_grown_here('{${SEARCHED.join(',')}}')`);
    return;
  }
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relname = any($1::text[]) and relkind = 'r' and relnamespace = current_schema()::regnamespace
       and pg_relation_size(oid) > 2 * relpages * current_setting('block_size')::bigint`,
    [SEARCHED],
  );
  for (const { name } of rows) await db.query(`analyze ${name}`);
}
