import type { TurnPassage } from '../contract/passage.ts';
import type { Scope } from '../scope.ts';
import type { TextLanguage } from '../text/languages.ts';
import type { Queryable } from './database.ts';
import { IS_FILLER } from './turn-record.ts';
import { toVectorText } from './vector-text.ts';

/**
 * The turns of a project that can be recalled, in their order: columns of equal length, and the postings of a query's
 * terms.
 */
export interface PastTurns {
  numbers: number[];
  /** Terms of message and reply; null: not indexed yet. */
  lengths: (number | null)[];
  /** Cosine similarity of the summary and the query; null where one of them has no vector. */
  similarities: (number | null)[];
  /** Whether it was a turn of the probe in question. */
  ofProbe: boolean[];
  /** Whether nothing was said in reply: it failed, or was cancelled before. */
  unanswered: boolean[];
  /** Whether its message was a mere acknowledgement: nothing was looked up for it, by the router's own decision. */
  fillers: boolean[];
  /** By term: turns that have it, those among them that cannot be recalled included, and how often. */
  postings: { term: string; numbers: number[]; frequencies: number[] }[];
}

/**
 * All turns that have ended, however they did: what a user said in one that failed was said too. In one statement,
 * because each costs a round trip.
 *
 * The joins are by columns, not by $1 and $2: of a project that is younger than the statistics the planner expects one
 * row in each table, and takes any index that begins with the project (measured with 2,000 turns: 1.2 s instead of
 * 40 ms). The order of the inner select is that of all its aggregates.
 */
const PAST_TURNS = `
  with past as materialized (
    select workspace_id, project_id, turn_number, lexical_length, coalesce(probe = $5, false) as of_probe,
      coalesce(response, '') = '' as unanswered,
      ${IS_FILLER} as filler
    from turns
    where workspace_id = $1 and project_id = $2 and ($4::int is null or turn_number < $4)
      and status <> 'in_progress'
  ), asked as materialized (
    select $1::text as workspace_id, $2::text as project_id, unnest($6::text[]) as term
  )
  select coalesce(json_agg(turn_number), '[]') as numbers, coalesce(json_agg(lexical_length), '[]') as lengths,
    coalesce(json_agg(similarity), '[]') as similarities, coalesce(json_agg(of_probe), '[]') as "ofProbe",
    coalesce(json_agg(filler), '[]') as fillers, coalesce(json_agg(unanswered), '[]') as unanswered,
    (select coalesce(json_agg(p), '[]') from (
      select term, json_agg(turn_number) as numbers, json_agg(frequency) as frequencies
      from asked join turn_postings t using (workspace_id, project_id, term) where t.project_id = $2 group by term) p) as postings
  from (
    select turn_number, lexical_length, of_probe, filler, unanswered, 1 - (s.embedding <=> $3::vector) as similarity
    from past left join (select * from turn_summaries where project_id = $2) s using (workspace_id, project_id, turn_number)
    order by turn_number
  ) compared`;

/**
 * @param query.before only turns of lower numbers; null: all
 * @param query.probe the probe in question, if there is one
 */
export async function readPastTurns(
  db: Queryable,
  scope: Scope,
  query: { vector: Float32Array | null; terms: string[]; before: number | null; probe: string | null },
): Promise<PastTurns> {
  const { rows } = await db.query<PastTurns>(PAST_TURNS, [
    scope.workspaceId,
    scope.projectId,
    query.vector && toVectorText(query.vector),
    query.before,
    query.probe,
    query.terms,
  ]);
  const [row] = rows;
  if (!row) throw new Error('an aggregate gave no row');
  return row;
}

/** What was said in a turn that was found. */
export interface RecalledTurnRow {
  turn_number: number;
  status: TurnPassage['status'];
  priming: boolean;
  probe: string | null;
  message: string;
  response: string | null;
  language: TextLanguage;
  summary: string | null;
}

/** Some turns with their summaries, by number. */
export async function selectRecalledTurns(
  db: Queryable,
  scope: Scope,
  numbers: readonly number[],
): Promise<Map<number, RecalledTurnRow>> {
  const { rows } = await db.query<RecalledTurnRow>(
    `select t.turn_number, t.status, t.priming, t.probe, t.message, t.response, t.language, s.summary
     from turns t left join turn_summaries s using (workspace_id, project_id, turn_number)
     where t.workspace_id = $1 and t.project_id = $2 and t.turn_number = any($3::int[])`,
    [scope.workspaceId, scope.projectId, numbers],
  );
  return new Map(rows.map((row) => [row.turn_number, row]));
}
