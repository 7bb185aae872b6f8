import type { Queryable } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { combineRankings, type RankedKey } from './combine.ts';
import type { RecalledTurn, SearchMode, SearchStrategy } from './passage.ts';
import { DEFAULT_DENSE_WEIGHT } from './query-vector.ts';
import { planSearch } from './search-plan.ts';
import { rankTurnsByVector, rankTurnsByWords, type TurnHit } from './turn-rankings.ts';

/** What a turn of the probe that is being worked on is worth more than another one. */
const PROBE_BOOST = 1.2;

export interface TurnQuery {
  text: string;
  /** The query's vector; null: search by words alone. */
  vector: Float32Array | null;
  /** What vectors count against words, which count 1: `QueryEmbedder.denseWeight`; left out, as for the local encoder. */
  denseWeight?: number;
  limit: number;
  mode: SearchMode;
  /** Only turns of lower numbers; null: all. */
  beforeTurn: number | null;
  /** Turns of this probe are preferred. */
  boostProbe: string | null;
  explain: boolean;
}

interface TurnRow {
  turn_number: number;
  probe: string | null;
  message: string;
  response: string | null;
  summary: string | null;
}

async function readTurns(db: Queryable, scope: Scope, numbers: number[]): Promise<Map<number, TurnRow>> {
  const { rows } = await db.query<TurnRow>(
    `select t.turn_number, t.probe, t.message, t.response, s.summary
     from turns t left join turn_summaries s using (workspace_id, project_id, turn_number)
     where t.workspace_id = $1 and t.project_id = $2 and t.turn_number = any($3::int[])`,
    [scope.workspaceId, scope.projectId, numbers],
  );
  return new Map(rows.map((row) => [row.turn_number, row]));
}

async function turnsOfProbe(db: Queryable, scope: Scope, probe: string | null): Promise<Set<number>> {
  if (probe === null) return new Set();
  const { rows } = await db.query<{ turn_number: number }>(
    'select turn_number from turns where workspace_id = $1 and project_id = $2 and probe = $3',
    [scope.workspaceId, scope.projectId, probe],
  );
  return new Set(rows.map((row) => row.turn_number));
}

const keyed = (hits: readonly TurnHit[]): RankedKey[] =>
  hits.map(({ turnNumber, score }) => ({ key: String(turnNumber), score }));

/**
 * Searches a project's completed turns: message and reply by words, summaries by vectors. A turn whose summary is not
 * made yet is found by its words.
 *
 * @param db outside a transaction, where its statements can run side by side
 * @returns turns, best first, with scores from 0 to 1, and how they were found (as `searchDocuments`)
 */
export async function searchTurns(
  db: Queryable,
  scope: Scope,
  query: TurnQuery,
): Promise<{ turns: RecalledTurn[]; strategy: SearchStrategy }> {
  const { strategy, vector, byWords } = planSearch(query.mode, query.vector);
  const { text, beforeTurn: before } = query;
  const [near, words, boosted] = await Promise.all([
    vector && rankTurnsByVector(db, scope, vector, before),
    byWords ? rankTurnsByWords(db, scope, { text, before }) : null,
    turnsOfProbe(db, scope, query.boostProbe),
  ]);
  const best = combineRankings({
    dense: near && keyed(near),
    denseWeight: query.denseWeight ?? DEFAULT_DENSE_WEIGHT,
    lexical: words && { hits: keyed(words.hits), ceiling: words.ceiling },
  })
    .map((hit) => {
      const turnNumber = Number(hit.key);
      return { hit, turnNumber, score: hit.score * (boosted.has(turnNumber) ? PROBE_BOOST : 1) };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, query.limit);

  const rows = await readTurns(
    db,
    scope,
    best.map(({ turnNumber }) => turnNumber),
  );
  const turns = best.flatMap(({ hit, turnNumber, score }): RecalledTurn[] => {
    const row = rows.get(turnNumber);
    if (!row) return [];
    const { denseRank, denseScore, lexicalRank, lexicalScore, score: fusedScore } = hit;
    return [
      {
        turnNumber,
        probe: row.probe,
        message: row.message,
        response: row.response ?? '',
        summary: row.summary ?? '',
        score: Math.min(1, score),
        explain: query.explain ? { denseRank, denseScore, lexicalRank, lexicalScore, fusedScore } : null,
      },
    ];
  });
  return { turns, strategy };
}
