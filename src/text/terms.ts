import { stemEnglish } from './stem-english.ts';
import { isStopWord } from './stop-words.ts';

/** Longer terms are cut, in UTF-16 units: nobody types a base64 line, and an index key has a maximum. */
const MAX_TERM_LENGTH = 64;
/** Distinct terms of a query that are looked up: more than any question has, less than a pasted page. */
const MAX_QUERY_TERMS = 256;
/** Shorter pieces beside an apostrophe say nothing: the "l" of "l'avion", the "t" of "don't". */
const MIN_APOSTROPHE_PIECE = 3;

/** Letters and digits, held together by the marks of identifiers, numbers and ticket ids. */
const COMPOUND =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:[-_.'’‐‑]|(?<=\p{N}),(?=\p{N}))[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const JOINERS = /[-_.,'’‐‑]/u;
/** Every joiner but those between digits: "2.3" is not "23", while "e-mail" is "email". */
const GLUE = /(?<=\p{N})([-_.])(?=\p{N})|[-_.,'’‐‑]/gu;
const POSSESSIVE = /['’][sS]$/u;
const APOSTROPHE = /['’]/u;
/** Where camelCase words meet, an acronym's end included: parse|HTTP|Response. */
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Accents are folded in Latin script only: elsewhere the mark makes another letter. */
const LATIN_ACCENTS = /(?<=\p{Script=Latin})\p{Mn}+/gu;
/** Scripts written without spaces between words, and Hangul, whose words carry their particles. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

function cut(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const kept = term.slice(0, MAX_TERM_LENGTH);
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}

function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[a-z0-9]+$/.test(lower)) return lower; // most words, at a third of the cost
  return lower.normalize('NFKD').replace(LATIN_ACCENTS, '').normalize('NFC');
}

/** Overlapping pairs of characters: what stands in for words where none are marked. */
function bigrams(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The words of one compound before stemming: the whole, its pieces, and the pieces of those. */
function* wordsOf(compound: string): Generator<string> {
  const body = compound.replace(POSSESSIVE, '');
  const pieces = body.split(JOINERS);
  if (pieces.length > 1) yield cut(fold(body.slice(0, 4 * MAX_TERM_LENGTH).replace(GLUE, '$1')));
  const shortest = APOSTROPHE.test(body) ? MIN_APOSTROPHE_PIECE : 1;
  for (const piece of pieces) {
    if (pieces.length > 1 && piece.length < shortest) continue;
    const rest = piece.replace(UNSPACED, ' ');
    if (rest !== piece) {
      for (const [run] of piece.matchAll(UNSPACED)) yield* bigrams(run);
      yield* rest.split(' ').filter(Boolean).map(fold).map(cut);
      continue;
    }
    yield cut(fold(piece));
    if (piece.length > MAX_TERM_LENGTH) continue; // a blob, not a name
    const humps = piece.split(CASE_BOUNDARY);
    if (humps.length > 1) yield* humps.map(fold);
  }
}

function compounds(text: string): string[] {
  return text.normalize('NFKC').match(COMPOUND) ?? [];
}

/** The terms of compounds that were met before: a text has some thousand words, each many times. */
export type KnownTerms = Map<string, readonly string[]>;

/** Words that are met once do not stay for ever. */
const MOST_KNOWN = 50_000;

function termsOf(compound: string, known: KnownTerms): readonly string[] {
  const before = known.get(compound);
  if (before !== undefined) return before;
  const terms = Array.from(wordsOf(compound), stemEnglish);
  if (compound.length <= MAX_TERM_LENGTH && known.size < MOST_KNOWN) known.set(compound, terms);
  return terms;
}

/**
 * The terms of a text, in order, repeated as often as they occur: folded to lower case without Latin accents, English
 * inflections stemmed, identifiers and ticket numbers whole (without the hyphens: `proj1234`) and in parts, scripts
 * without spaces as pairs of characters. Terms are at most 64 characters and hold neither spaces nor NUL.
 *
 * @param known one map for all the texts of a file spares most of the work
 */
export function analyseText(text: string, known: KnownTerms = new Map()): string[] {
  const terms: string[] = [];
  for (const compound of compounds(text)) for (const term of termsOf(compound, known)) terms.push(term);
  return terms;
}

/** The distinct terms that a query asks for, and how often it names each; stop words only if it has nothing else. */
export function analyseQuery(text: string): Map<string, number> {
  const all = compounds(text).flatMap((compound) => [...wordsOf(compound)]);
  const telling = all.filter((word) => !isStopWord(word));
  const terms = new Map<string, number>();
  for (const word of telling.length > 0 ? telling : all) {
    const term = stemEnglish(word);
    const times = terms.get(term);
    if (times === undefined && terms.size >= MAX_QUERY_TERMS) continue;
    terms.set(term, (times ?? 0) + 1);
  }
  return terms;
}

/** A word of a query as it is written, with its terms. */
export interface QueryWord {
  written: string;
  /** The term of the whole; null where a script marks no words. */
  whole: string | null;
  /** The terms of its parts, or of its pairs of characters; none of a plain word. */
  parts: readonly string[];
  /** Whether the query begins with it: its capital says nothing. */
  isFirst: boolean;
}

/** The telling words of a query, each once, in their order; stop words only if it has nothing else. */
export function queryWords(text: string): QueryWord[] {
  const all = compounds(text).map((written, index) => ({ written, words: [...wordsOf(written)], index }));
  const telling = all.filter(({ words }) => words.some((word) => !isStopWord(word)));
  const found = new Map<string, QueryWord>();
  for (const { written, words, index } of telling.length > 0 ? telling : all) {
    if (found.size >= MAX_QUERY_TERMS) break;
    const hasWhole = written.replace(UNSPACED, '') === written;
    const [first = '', ...rest] = words.map(stemEnglish);
    const key = words.join(' ');
    const word = { written, whole: hasWhole ? first : null, parts: hasWhole ? rest : [first, ...rest] };
    if (!found.has(key)) found.set(key, { ...word, isFirst: index === 0 });
  }
  return [...found.values()];
}
