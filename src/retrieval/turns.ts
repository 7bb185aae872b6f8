import type { SearchMode } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import { selectLanguages } from '../db/languages.ts';
import {
  type PastTurns,
  type RecalledTurnRow,
  readPastTurns,
  selectRecalledTurns,
} from '../db/past-turns.ts';
import type { EmbeddingCalibration } from '../embeddings/calibration.ts';
import type { Scope } from '../scope.ts';
import { analyseQuery, lookedUp } from '../text/asked-terms.ts';
import { turnWords } from '../text/postings.ts';
import { type AskedWord, askedWords } from './asked-words.ts';
import { bearingConfidence, collectEvidence, standingOf } from './bearing.ts';
import { ordinarySimilarity } from './candidates.ts';
import { type CombinedHit, combineRankings, type RankedKey, rankingOf } from './combine.ts';
import type { Found, RecalledTurn } from './passage.ts';
import { planSearch } from './search-plan.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';
import { rankTurnsByVector, rankTurnsByWords, type TurnHit } from './turn-rankings.ts';

export interface TurnQuery {
  text: string;
  /** The query's vector; null: search by words alone. */
  vector: Float32Array | null;
  /** Of the model whose vectors are compared. */
  calibration: EmbeddingCalibration;
  limit: number;
  mode: SearchMode;
  /** Only turns of lower numbers; null: all. */
  beforeTurn: number | null;
  /** Turns of this probe are preferred. */
  boostProbe: string | null;
  explain: boolean;
}

/** A date: when something was said stands beside a turn, and not in its words. */
const NUMBER = /^\p{N}+$/u;

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

/** What the confidence in a turn is made from, besides the turn. */
interface Asked {
  words: readonly AskedWord[];
  ordinary: number | null;
  standingSpan: number;
}

/** A turn as it is given back. */
function toRecalled(
  row: RecalledTurnRow,
  { hit, rankScore }: { hit: CombinedHit; rankScore: number },
  { words, ordinary, standingSpan }: Asked,
  { explain, tuning }: { explain: boolean; tuning: RetrievalTuning },
): RecalledTurn {
  const text = `${turnWords(row)}\n${row.summary ?? ''}`;
  const standing = standingOf(hit.denseScore, ordinary, standingSpan);
  const { language, ...shown } = row;
  const evidence = collectEvidence(words, { stretch: text, whole: text, language }, standing);
  return {
    ...shown,
    response: row.response ?? '',
    summary: row.summary ?? '',
    score: bearingConfidence(evidence, tuning.relevance, tuning.relevance.turnsAhead),
    rank_score: rankScore,
    explain: explain ? rankingOf(hit) : null,
  };
}

/**
 * Searches a project's turns, failed and cancelled ones with what had been said included: message and reply by words,
 * summaries by vectors. A turn whose summary has no vector yet is found by its words.
 *
 * @returns turns in the order of their ranking, the active probe's preferred, each with the confidence that it bears on
 *   the query, and how they were found (as `searchDocuments`)
 */
export async function searchTurns(
  db: Queryable,
  scope: Scope,
  query: TurnQuery,
  tuning: RetrievalTuning = retrievalTuning,
): Promise<Found<RecalledTurn>> {
  const { strategy, vector, byWords } = planSearch(query.mode, query.vector);
  const languages = await selectLanguages(db, scope, 'turns');
  const terms = analyseQuery(query.text, languages);
  const { beforeTurn: before, boostProbe: probe, explain } = query;
  const { fusionWeight, standingSpan } = query.calibration;
  const past = await readPastTurns(db, scope, { vector, terms: lookedUp(terms), before, probe });
  const worded = byWords ? rankTurnsByWords(past, terms, tuning) : null;
  const worth = worths(past, tuning.turns);
  const near = vector && rankTurnsByVector(past, tuning);
  const dense = near && keyed(near);
  const lexical = worded && { hits: keyed(worded.hits), ceiling: worded.ceiling };
  const best = combineRankings({ dense, fusionWeight, lexical }, tuning.fusion)
    .map((hit) => {
      const turnNumber = Number(hit.key);
      return { hit, turnNumber, rankScore: hit.score * (worth.get(turnNumber) ?? 1) };
    })
    .sort((a, b) => b.rankScore - a.rankScore)
    .slice(0, query.limit);
  const considered = past.numbers.length;
  if (best.length === 0) return { hits: [], considered, strategy };

  const numbers = best.map(({ turnNumber }) => turnNumber);
  const rows = await selectRecalledTurns(db, scope, numbers);
  const counts = {
    texts: considered,
    having: new Map(past.postings.map(({ term, numbers: having }) => [term, having.length])),
  };
  const words = askedWords(query.text, counts, { languages, respelled: [] }).filter(
    ({ written }) => !NUMBER.test(written),
  );
  const ordinary = near && ordinarySimilarity(near, tuning.relevance.ordinaryRank);
  const hits = best.flatMap((ranked) => {
    const row = rows.get(ranked.turnNumber);
    return row ? [toRecalled(row, ranked, { words, ordinary, standingSpan }, { explain, tuning })] : [];
  });
  return { hits, considered, strategy };
}
