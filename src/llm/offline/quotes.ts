import { askedKeys, keysOf, namedKeys } from './matching.ts';
import { indexUnits, type UnitIndex } from './unit-index.ts';
import type { Passage, Unit } from './units.ts';

/** What of a passage answers a message, word for word, with how much of the message it has, 0 to 1. */
export interface Quote {
  passage: Passage;
  shown: string;
  coverage: number;
}

/**
 * The least share of what a question is about that a quotation has, the rarer a word the more it counts; and how much less of it
 * will do for each point of confidence above `from` that its passage bears on the question. Of the labelled questions
 * (eval/answerability) 53 % with an answer get a quotation that holds it, and 91 % without get none; with .5 of the question
 * whatever the confidence it would be 44 % and 92 %.
 */
const LEAST = { coverage: 0.6, lessByConfidence: 0.6, from: 0.4 };
/** The same of a statement, which says more than a place in a document could repeat, and so many words at least. */
const LEAST_OF_STATEMENT = { coverage: 0.35, keys: 3 };
/** What stands above a sentence (headings, the name of the file, names of columns) says half as much as the sentence. */
const CONTEXT_SHARE = 0.5;
/** What is this much worse than the best says something else. */
const LEAST_OF_BEST = 0.7;
/** What has this much of all that is asked answers all of it. */
const ENOUGH = 0.8;
const PER_PASSAGE = 2;
/** What is asked for in "which command …" is as a rule not named where it stands. */
const KIND_SHARE = 0.4;
const KIND =
  /(?:^|\s)(?:which|what|welche[rsnm]?|quels?|quelles?|qué|cuál|quale|quali|qual|quais|welke?)\s+([\p{L}-]+)/giu;
/** Where several things are asked at once. */
const PARTS =
  /[?？;]+|,?\s+(?:and|und|et|y|e|en|и)\s+(?=(?:who|whom|what|which|when|where|why|how|by|is|are|does|do|can|wer|wie|was|wann|wo|qui|que|quand|combien|quién|cuándo|cuánto|chi|quando|quanto|wat|hoe)\b)/iu;

/**
 * What the passages say on a message: of each part of it the sentences, items and rows that have most of what it is about.
 * Empty when none has enough of it: what merely shares a word with a question does not answer it.
 *
 * @param options.isQuestion whether something is asked; a statement is only set beside what is nearly the same
 */
export function bestQuotes(
  message: string,
  passages: readonly Passage[],
  options: { count: number; isQuestion: boolean },
): Quote[] {
  const index = indexUnits(passages);
  const whole = best(message, index, options);
  const isAnswered = (whole[0]?.coverage ?? 0) >= ENOUGH;
  const parts = message.split(PARTS).filter((part) => askedKeys(part).length > 0);
  const byPart = !options.isQuestion || isAnswered || parts.length < 2 ? [] : parts;
  return distinct([whole, ...byPart.map((part) => best(part, index, options))]).slice(0, options.count);
}

/** The passages' units in which every one of the keys occurs. */
export function unitsWithAll(keys: readonly string[], passages: readonly Passage[]): Unit[] {
  return indexUnits(passages).units.filter(({ own }) => keys.every((key) => own.has(key)));
}

function best(
  part: string,
  { units, weight, meant }: UnitIndex,
  { count, isQuestion }: { count: number; isQuestion: boolean },
): Quote[] {
  const wanted = [...new Set(askedKeys(part).map(meant))];
  const kinds = new Set([...part.matchAll(KIND)].flatMap(([, noun = '']) => keysOf(noun)));
  const worth = (key: string): number => weight(key) * (kinds.has(key) && wanted.length > 1 ? KIND_SHARE : 1);
  const sum = (keys: readonly string[]): number => keys.reduce((all, key) => all + worth(key), 0);
  const total = Math.max(sum(wanted), Number.EPSILON);
  const names = namedKeys(part);
  const predicates = wanted.filter((key) => !names.has(key));
  const scored = units
    .flatMap((unit) => {
      const own = wanted.filter((key) => unit.own.has(key));
      const said = wanted.filter((key) => unit.own.has(key) || unit.named.has(key));
      const around = wanted.filter((key) => !said.includes(key) && unit.around.has(key));
      const coverage = (sum(said) + CONTEXT_SHARE * sum(around)) / total;
      // a name alone is somebody to speak of, and not what is asked of them
      const isAbout =
        predicates.length === 0 || predicates.some((key) => said.includes(key) || around.includes(key));
      const isEnough = isQuestion
        ? coverage >= leastCoverage(unit.passage) && isAbout
        : coverage >= LEAST_OF_STATEMENT.coverage && own.length >= LEAST_OF_STATEMENT.keys;
      if (own.length === 0 || !isEnough) return [];
      // long sentences have more words by chance; an earlier passage was found to be nearer
      const score = coverage / (1 + unit.own.size / 60) / (1 + unit.rank / 12);
      return [{ passage: unit.passage, shown: unit.shown, coverage, score }];
    })
    .sort((a, b) => b.score - a.score);
  const [top] = scored;
  return scored.filter(({ score }) => score >= LEAST_OF_BEST * (top?.score ?? 0)).slice(0, count);
}

const leastCoverage = ({ score }: Passage): number =>
  LEAST.coverage - LEAST.lessByConfidence * Math.max(0, score - LEAST.from);

/** Of each part the best, then of each the second, and so on: each once, and not too many of one passage. */
function distinct(lists: readonly Quote[][]): Quote[] {
  const kept: Quote[] = [];
  const longest = Math.max(0, ...lists.map((list) => list.length));
  for (let place = 0; place < longest; place += 1) {
    for (const quote of lists.flatMap((list) => list[place] ?? [])) {
      const same = kept.filter(({ passage }) => passage === quote.passage);
      if (same.length < PER_PASSAGE && !kept.some(({ shown }) => shown === quote.shown)) kept.push(quote);
    }
  }
  return kept;
}
