import type { Queryable } from '../db/database.ts';
import type { LeafHit } from '../db/leaf-hit.ts';
import { selectLeafTexts } from '../db/leaf-texts.ts';
import type { Scope } from '../scope.ts';
import { type Phrase, phrasesIn, quotedPhrases } from '../text/quoted.ts';
import type { CombinedHit } from './combine.ts';
import { leafKey } from './leaf-hit.ts';
import { rankByWords } from './lexical.ts';
import type { DocumentFilters } from './passage.ts';
import type { RetrievalTuning } from './tuning.ts';

/** What became of the phrases that a query quotes. */
export interface FoundPhrases {
  phrases: { text: string; isFound: boolean }[];
  /** Leaves that come first for some of them, by leaf key, with the share of those. */
  leaves: Map<string, { hit: LeafHit; share: number }>;
}

const NONE: FoundPhrases = { phrases: [], leaves: new Map() };

/**
 * The leaves that have the phrases of a query word by word: looked for among those that have most of their words, a bounded number,
 * by their texts.
 */
export async function findPhrases(
  db: Queryable,
  scope: Scope,
  { text, filters }: { text: string; filters: DocumentFilters },
  tuning: RetrievalTuning['lexical'],
): Promise<FoundPhrases> {
  const phrases = quotedPhrases(text);
  if (phrases.length === 0) return NONE;
  const rankings = await Promise.all(
    phrases.map((phrase) =>
      rankByWords(db, scope, { text: phrase.text, limit: tuning.phrases.leavesRead, filters }, tuning),
    ),
  );
  const hits = new Map(rankings.flatMap((ranking) => ranking.hits).map((hit) => [leafKey(hit), hit]));
  const texts = await selectLeafTexts(db, scope, [...hits.values()]);
  const found = new Set<Phrase>();
  const leaves: FoundPhrases['leaves'] = new Map();
  for (const { text: of, ...leaf } of texts) {
    const hit = hits.get(leafKey(leaf));
    const there = phrasesIn(of, phrases);
    for (const phrase of there) found.add(phrase);
    const first = there.filter(({ comesFirst }) => comesFirst);
    if (hit && first.length > 0) leaves.set(leafKey(leaf), { hit, share: first.length / phrases.length });
  }
  return { phrases: phrases.map((phrase) => ({ text: phrase.text, isFound: found.has(phrase) })), leaves };
}

const UNRANKED = { denseRank: null, denseScore: null, lexicalRank: null, lexicalScore: null, score: 0 };

/**
 * A ranking with the leaves first that have the quoted phrases. What was wanted word by word has at least half of the highest
 * score, and nothing else has more.
 */
export function preferQuoted(hits: readonly CombinedHit[], { leaves }: FoundPhrases): CombinedHit[] {
  if (leaves.size === 0) return [...hits];
  const ranked = new Set(hits.map(({ key }) => key));
  const unranked = [...leaves.keys()].filter((key) => !ranked.has(key)).map((key) => ({ key, ...UNRANKED }));
  return [...hits, ...unranked]
    .map((hit) => ({ ...hit, score: (hit.score + (leaves.get(hit.key)?.share ?? 0)) / 2 }))
    .sort((a, b) => b.score - a.score);
}
