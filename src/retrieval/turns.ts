import type { SearchMode, SearchStrategy } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import {
  type PastTurns,
  type RecalledTurnRow,
  readPastTurns,
  selectRecalledTurns,
} from '../db/past-turns.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery } from '../text/terms.ts';
import { type CombinedHit, combineRankings, type RankedKey, rankingOf } from './combine.ts';
import type { RecalledTurn } from './passage.ts';
import { planSearch } from './search-plan.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';
import { rankTurnsByVector, rankTurnsByWords, type TurnHit } from './turn-rankings.ts';

export interface TurnQuery {
  text: string;
  /** The query's vector; null: search by words alone. */
  vector: Float32Array | null;
  /** What vectors count against words, which count 1: their model's (`EmbeddingCalibration`). */
  fusionWeight: number;
  limit: number;
  mode: SearchMode;
  /** Only turns of lower numbers; null: all. */
  beforeTurn: number | null;
  /** Turns of this probe are preferred. */
  boostProbe: string | null;
  explain: boolean;
}

/** What the score of each turn is multiplied by. */
function worths(past: PastTurns, { probeBoost, halfShare }: RetrievalTuning['turns']): Map<number, number> {
  return new Map(
    past.numbers.map((turnNumber, index) => [
      turnNumber,
      (past.ofProbe[index] ? probeBoost : 1) *
        (past.fillers[index] || past.unanswered[index] ? halfShare : 1),
    ]),
  );
}

const keyed = (hits: readonly TurnHit[]): RankedKey[] =>
  hits.map(({ turnNumber, score }) => ({ key: String(turnNumber), score }));

/** A turn as it is given back: `hit` as it was ranked, `score` with what the turn is worth. */
function toRecalled(
  row: RecalledTurnRow,
  { hit, score }: { hit: CombinedHit; score: number },
  explain: boolean,
): RecalledTurn {
  return {
    ...row,
    response: row.response ?? '',
    summary: row.summary ?? '',
    score: Math.min(1, score),
    explain: explain ? rankingOf(hit) : null,
  };
}

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
  tuning: RetrievalTuning = retrievalTuning,
): Promise<{ turns: RecalledTurn[]; strategy: SearchStrategy }> {
  const { strategy, vector, byWords } = planSearch(query.mode, query.vector);
  const terms = byWords ? analyseQuery(query.text) : new Map<string, number>();
  const { beforeTurn: before, boostProbe: probe, fusionWeight } = query;
  const past = await readPastTurns(db, scope, { vector, terms: [...terms.keys()], before, probe });
  const words = byWords ? rankTurnsByWords(past, terms, tuning) : null;
  const worth = worths(past, tuning.turns);
  const dense = vector && keyed(rankTurnsByVector(past, tuning));
  const lexical = words && { hits: keyed(words.hits), ceiling: words.ceiling };
  const best = combineRankings({ dense, fusionWeight, lexical }, tuning.fusion)
    .map((hit) => {
      const turnNumber = Number(hit.key);
      return { hit, turnNumber, score: hit.score * (worth.get(turnNumber) ?? 1) };
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, query.limit);
  if (best.length === 0) return { turns: [], strategy };

  const numbers = best.map(({ turnNumber }) => turnNumber);
  const rows = await selectRecalledTurns(db, scope, numbers);
  const turns = best.flatMap((ranked) => {
    const row = rows.get(ranked.turnNumber);
    return row ? [toRecalled(row, ranked, query.explain)] : [];
  });
  return { turns, strategy };
}
