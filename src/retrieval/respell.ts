import type { Queryable } from '../db/database.ts';
import { selectKnownTerms, selectTermsFrom } from '../db/vocabulary.ts';
import type { Scope } from '../scope.ts';
import type { AskedTerm } from '../text/asked-terms.ts';
import { editDistance, oneLetterAway } from '../text/near-words.ts';
import { wordRarity } from '../text/rarity.ts';
import { storedTerm } from '../text/terms.ts';
import type { RetrievalTuning } from './tuning.ts';

/** A word of a query that no leaf has, and the word of the project that it was taken for. */
export interface Respelled {
  /** As the query has it, in lower case. */
  word: string;
  /** Its term, and the one it was taken for, as they are stored. */
  from: string;
  to: string;
}

/** Words of a query that are looked at: more are no slips. */
const MOST_WORDS = 4;
/** Of the letters that two slips have to leave as they are. */
const KEPT_LETTERS = 4;

const LETTERS = /^\p{L}+$/u;

/** The plain words of a query that no leaf has in any language, and that are no common words: those are meant as they are. */
function unknownWords(
  terms: readonly AskedTerm[],
  having: ReadonlyMap<string, number>,
  { leastLetters, leastRarity }: RetrievalTuning['lexical']['respelling'],
): string[] {
  const known = new Set<string>();
  const unknown = new Set<string>();
  for (const { words, terms: names } of terms) {
    const into = names.some((name) => having.has(name)) ? known : unknown;
    for (const word of words) into.add(word);
  }
  return [...unknown]
    .filter((word) => !known.has(word) && word.length >= leastLetters && LETTERS.test(word))
    .filter((word) => wordRarity(word) > leastRarity)
    .slice(0, MOST_WORDS);
}

/** The first in the order of the alphabet, so that the same query has the same answer. */
const firstOf = (names: readonly string[]): string | undefined => [...names].sort()[0];

/** A word that no leaf has, in one of the languages that it may be of, and the terms that are one letter away from its own. */
interface Slip {
  asked: AskedTerm;
  word: string;
  near: string[];
}

function slipOf(asked: AskedTerm, word: string): Slip {
  const stem = asked.terms[0].slice(markOf(asked).length);
  return { asked, word, near: oneLetterAway(stem).map((near) => storedTerm(near, asked.language)) };
}

/** What its terms begin with: their language's mark. */
const markOf = ({ language }: AskedTerm): string => storedTerm('', language);

/** The nearest term of the project: one letter away or, of a long word, two. */
async function nearest(
  db: Queryable,
  scope: Scope,
  { asked, word, near, known }: Slip & { known: ReadonlySet<string> },
  { longLetters, mostTerms }: RetrievalTuning['lexical']['respelling'],
): Promise<string | undefined> {
  const mark = markOf(asked);
  const stem = asked.terms[0].slice(mark.length);
  // a first letter is seldom wrong: "merlin" is not "berlin"
  const found = firstOf(near.filter((term) => known.has(term) && term.startsWith(mark + stem.charAt(0))));
  if (found !== undefined || word.length < longLetters) return found;
  const alike = await selectTermsFrom(db, scope, mark + stem.slice(0, KEPT_LETTERS), mostTerms);
  return firstOf(alike.filter((term) => editDistance(term.slice(mark.length), stem) <= 2));
}

/**
 * Words of a query that no leaf has, met by their neighbours in the project's own words: a slip of one letter, of two in a long
 * word. What is asked of the index is bounded, however large the project is.
 *
 * @param having terms that are found
 */
export async function respell(
  db: Queryable,
  scope: Scope,
  terms: readonly AskedTerm[],
  having: ReadonlyMap<string, number>,
  tuning: RetrievalTuning['lexical']['respelling'],
): Promise<Respelled[]> {
  const unknown = unknownWords(terms, having, tuning);
  const slips = unknown.flatMap((word) =>
    terms.filter(({ words }) => words.includes(word)).map((asked) => slipOf(asked, word)),
  );
  if (slips.length === 0) return [];
  const near = slips.flatMap((slip) => slip.near);
  const known = new Set(await selectKnownTerms(db, scope, near));
  const found = await Promise.all(
    slips.map(async (slip): Promise<Respelled[]> => {
      const to = await nearest(db, scope, { ...slip, known }, tuning);
      return to === undefined ? [] : [{ word: slip.word, from: slip.asked.terms[0], to }];
    }),
  );
  return found.flat();
}

/** What a query asks for, its slips put right; they count for less than what was asked as it is written. */
export function withRespelled(
  terms: readonly AskedTerm[],
  respelled: readonly Respelled[],
  share: number,
): AskedTerm[] {
  return terms.map((asked) => {
    const slip = respelled.find(({ from }) => from === asked.terms[0]);
    return slip ? { ...asked, terms: [slip.to], times: share * asked.times, elsewhere: [] } : asked;
  });
}
