import type { Ranking } from '../contract/passage.ts';
import { fuseRankings } from './fuse.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

/** One hit of a ranking; keys are the caller's. */
export interface RankedKey {
  key: string;
  score: number;
}

/** A hit with its place in each ranking; null where a ranking was not asked or did not have it. */
export interface CombinedHit {
  key: string;
  /** 0 to 1. */
  score: number;
  denseRank: number | null;
  denseScore: number | null;
  lexicalRank: number | null;
  lexicalScore: number | null;
}

/** The places of a hit, as they are shown. */
export const rankingOf = (hit: Omit<CombinedHit, 'key'>): Ranking => ({
  dense_rank: hit.denseRank,
  dense_score: hit.denseScore,
  lexical_rank: hit.lexicalRank,
  lexical_score: hit.lexicalScore,
  fused_score: hit.score,
});

const placesIn = (ranking: readonly RankedKey[]): Map<string, { rank: number; score: number }> =>
  new Map(ranking.map(({ key, score }, index) => [key, { rank: index + 1, score }]));

/**
 * Makes one ranking of one or two, best first. With both the score is that of their fusion; by vectors alone it is the
 * cosine similarity; by words alone the share of the ceiling, which is what a text full of every word would come near to.
 *
 * @param rankings.dense null: not asked
 * @param rankings.fusionWeight what the dense ranking counts against the lexical one, which counts 1
 */
export function combineRankings(
  rankings: {
    dense: readonly RankedKey[] | null;
    fusionWeight: number;
    lexical: { hits: readonly RankedKey[]; ceiling: number } | null;
  },
  { k }: RetrievalTuning['fusion'] = retrievalTuning.fusion,
): CombinedHit[] {
  const { dense, lexical } = rankings;
  const inDense = placesIn(dense ?? []);
  const inLexical = placesIn(lexical?.hits ?? []);
  const fused = fuseRankings(
    [
      { keys: [...inLexical.keys()], weight: lexical ? 1 : 0 },
      { keys: [...inDense.keys()], weight: dense ? rankings.fusionWeight : 0 },
    ],
    k,
  );
  return fused.map(({ key, score }) => {
    const near = inDense.get(key);
    const worded = inLexical.get(key);
    let own = score;
    if (!lexical) own = near?.score ?? 0;
    else if (!dense) own = (worded?.score ?? 0) / lexical.ceiling;
    return {
      key,
      score: Math.min(1, Math.max(0, own)),
      denseRank: near?.rank ?? null,
      denseScore: near?.score ?? null,
      lexicalRank: worded?.rank ?? null,
      lexicalScore: worded?.score ?? null,
    };
  });
}
