import type { ArchivedEvent, ArchivedSummary, ArchivedTurn, ArchivedUsage } from '../archive/format.ts';
import type { Scope } from '../scope.ts';
import { jsonParam, storableText } from '../text/storable.ts';
import { batches } from './batches.ts';
import type { Queryable } from './database.ts';
import { SUMMARY_HASH } from './embedded-texts.ts';
import { type CachedModel, cacheKey, readCachedVectors } from './embedding-cache.ts';
import { columnParam, IS_FILLER, SHOWN } from './turn-record.ts';
import { toVectorText } from './vector-text.ts';

const COLUMNS = [...SHOWN, 'options', 'probe', 'receipt'] as const;
const INSERT_TURN = `insert into turns (workspace_id, project_id, ${COLUMNS.join(', ')})
  values ($1, $2, ${COLUMNS.map((_, index) => `$${index + 3}`).join(', ')})`;

/** Stores a turn as it was elsewhere. */
export async function restoreTurn(db: Queryable, scope: Scope, turn: ArchivedTurn): Promise<void> {
  await db.query(INSERT_TURN, [
    scope.workspaceId,
    scope.projectId,
    ...COLUMNS.map((column) => columnParam(turn[column])),
  ]);
}

/** Stores events as they were elsewhere. */
export async function restoreEvents(
  db: Queryable,
  scope: Scope,
  events: readonly ArchivedEvent[],
): Promise<void> {
  await db.query(
    `insert into turn_events (workspace_id, project_id, turn_number, seq, type, data, created_at)
     select $1, $2, e.turn_number, e.seq, e.type, e.data::json, e.created_at
     from unnest($3::int[], $4::bigint[], $5::text[], $6::text[], $7::timestamptz[])
       as e(turn_number, seq, type, data, created_at)`,
    [
      scope.workspaceId,
      scope.projectId,
      events.map((event) => event.turn_number),
      events.map((event) => event.seq),
      events.map((event) => event.type),
      events.map((event) => jsonParam(event.data)),
      events.map((event) => event.created_at),
    ],
  );
}

/** Stores summaries of turns as they were elsewhere, without their vectors. */
export async function restoreSummaries(
  db: Queryable,
  scope: Scope,
  summaries: readonly ArchivedSummary[],
): Promise<void> {
  await db.query(
    `insert into turn_summaries (workspace_id, project_id, turn_number, summary, source, created_at)
     select $1, $2, s.turn_number, s.summary, s.source, s.created_at
     from unnest($3::int[], $4::text[], $5::text[], $6::timestamptz[]) as s(turn_number, summary, source, created_at)`,
    [
      scope.workspaceId,
      scope.projectId,
      summaries.map((each) => each.turn_number),
      summaries.map((each) => storableText(each.summary)),
      summaries.map((each) => each.source),
      summaries.map((each) => each.created_at),
    ],
  );
}

/** Stores what calls that belong to no turn have used. */
export async function restoreUsage(db: Queryable, scope: Scope, usage: ArchivedUsage): Promise<void> {
  for (const each of usage) {
    await db.query(
      `insert into usage_totals (workspace_id, project_id, phase, model, calls, input_tokens, cached_tokens,
         cache_write_tokens, output_tokens, day)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::date) on conflict do nothing`,
      [
        scope.workspaceId,
        scope.projectId,
        storableText(each.phase),
        storableText(each.model),
        each.calls,
        each.input_tokens,
        each.cached_tokens,
        each.cache_write_tokens,
        each.output_tokens,
        each.day,
      ],
    );
  }
}

/** Gives the project's summaries the vectors that the embedding cache has for them. */
export async function embedSummariesFromCache(
  tx: Queryable,
  scope: Scope,
  model: CachedModel,
): Promise<void> {
  const key = [scope.workspaceId, scope.projectId];
  const { rows } = await tx.query<{ number: number; hash: string }>(
    `select turn_number as number, ${SUMMARY_HASH} as hash from turn_summaries
     where workspace_id = $1 and project_id = $2 and embedding is null`,
    key,
  );
  for (const batch of batches(rows)) {
    const hashes = batch.map(({ hash }) => cacheKey(scope.workspaceId, hash));
    // by way of the service: the cache is not beside the summaries where these are distributed
    const vectors = await readCachedVectors(tx, model, [...new Set(hashes)]);
    const known = batch.flatMap(({ number }, place) => {
      const vector = vectors.get(hashes[place] ?? '');
      return vector ? [{ number, vector: toVectorText(vector) }] : [];
    });
    await tx.query(
      `update turn_summaries t set embedding = c.embedding::vector
       from unnest($3::int[], $4::text[]) as c (turn_number, embedding)
       where t.workspace_id = $1 and t.project_id = $2 and t.turn_number = c.turn_number`,
      [...key, known.map(({ number }) => number), known.map(({ vector }) => vector)],
    );
  }
}

/** The turns that are not remembered yet: without a summary, or with one that is to have a vector and has none. */
export async function selectUnremembered(tx: Queryable, scope: Scope): Promise<number[]> {
  const { rows } = await tx.query<{ turn_number: number }>(
    `select turn_number from turns left join turn_summaries using (workspace_id, project_id, turn_number)
     where workspace_id = $1 and project_id = $2 and status <> 'in_progress'
       and (summary is null or (embedding is null and summary <> '' and not ${IS_FILLER}))
     order by turn_number`,
    [scope.workspaceId, scope.projectId],
  );
  return rows.map((row) => row.turn_number);
}
