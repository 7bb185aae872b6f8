import type { SearchMode, SearchStrategy } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import { type PastTurns, readPastTurns, selectRecalledTurns } from '../db/past-turns.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from '../text/terms.ts';
import { combineRankings, type RankedKey } from './combine.ts';
import type { RecalledTurn } from './passage.ts';
import { DEFAULT_DENSE_WEIGHT } from './query-vector.ts';
import { planSearch } from './search-plan.ts';
import { rankTurnsByVector, rankTurnsByWords, type TurnHit } from './turn-rankings.ts';

/** What a turn of the probe that is being worked on is worth more than another one. */
const PROBE_BOOST = 1.2;
/**
 * What is left of the score of half an exchange: an acknowledgement ("thanks", "next question"), whose user has said
 * nothing to recall, or a message without a reply, which as a rule was sent again.
 */
const HALF_SHARE = 0.5;

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

/** What the score of each turn is multiplied by. */
function worths(past: PastTurns): Map<number, number> {
  return new Map(
    past.numbers.map((turnNumber, index) => [
      turnNumber,
      (past.ofProbe[index] ? PROBE_BOOST : 1) *
        (past.fillers[index] || past.unanswered[index] ? HALF_SHARE : 1),
    ]),
  );
}

const keyed = (hits: readonly TurnHit[]): RankedKey[] =>
  hits.map(({ turnNumber, score }) => ({ key: String(turnNumber), score }));

/**
 * Searches a project's turns, failed and cancelled ones with what had been said included: message and reply by words,
 * summaries by vectors. A turn whose summary has no vector yet is found by its words.
 *
 * @returns turns, best first, with scores from 0 to 1, and how they were found (as `searchDocuments`)
 */
export async function searchTurns(
  db: Queryable,
  scope: Scope,
  query: TurnQuery,
): Promise<{ turns: RecalledTurn[]; strategy: SearchStrategy }> {
  const { strategy, vector, byWords } = planSearch(query.mode, query.vector);
  const terms = byWords ? analyseQuery(query.text) : new Map<string, number>();
  const { beforeTurn: before, boostProbe: probe } = query;
  const past = await readPastTurns(db, scope, { vector, terms: [...terms.keys()], before, probe });
  const words = byWords ? rankTurnsByWords(past, terms) : null;
  const worth = worths(past);
  const best = combineRankings({
    dense: vector && keyed(rankTurnsByVector(past)),
    denseWeight: query.denseWeight ?? DEFAULT_DENSE_WEIGHT,
    lexical: words && { hits: keyed(words.hits), ceiling: words.ceiling },
  })
    .map((hit) => {
      const turnNumber = Number(hit.key);
      return { hit, turnNumber, score: hit.score * (worth.get(turnNumber) ?? 1) };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, query.limit);
  if (best.length === 0) return { turns: [], strategy };

  const rows = await selectRecalledTurns(
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
        status: row.status,
        priming: row.priming,
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
