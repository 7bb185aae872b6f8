import { ENGLISH_FILLERS, PRAISE, THANKS_FOR } from './fillers.ts';
import { LATIN_FILLERS } from './fillers-latin.ts';
import { SCRIPT_FILLERS } from './fillers-scripts.ts';
import { UNSPACED_FILLERS } from './fillers-unspaced.ts';
import { WESTERN_FILLERS } from './fillers-western.ts';
import { LATIN_SET_PHRASES, type SetPhrases } from './set-phrases-latin.ts';
import { SCRIPT_SET_PHRASES, UNSPACED_SET_PHRASES } from './set-phrases-scripts.ts';
import { isNearly } from './typos.ts';
import { wordsOf } from './words.ts';

const LONGEST_FILLER = 160;
const MOST_WORDS = 18;
const LONGEST_PIECE = 20;

const PICTURES =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0e|\ufe0f|\u20e3/gu;
const EMOTICONS =
  /(?<![^\s])[:;=][-^o]?[)(dp3*/|\\\]>]+(?![^\s.,!?])|(?<![^\s])(?:x+d+|<3+|\^_*\^)(?![^\s.,!?])/g;
/** Numbers that are praise or agreement, not information. */
const NUMBER_IDIOMS = /(?<![^\s])(?:\+\s?1|10[\s-]?4|100\s?%|10\s?\/\s?10)(?![^\s.,!])/g;
const CLAUSE_END = /[.,;:!?…\n()"“”«»、。，！？；：।؟،؛—–|*_~]+|\s-+\s|-{2,}/;
const QUESTION_MARKS = /[?？؟;]/;

/** Words that ask for nothing but to go on, so that a question mark behind them asks for nothing more. */
const GO_ON = new Set(
  wordsOf(`next continue proceed go move skip start begin ready else weiter fortfahren nachste bereit los suivant suivante
  continue continuons siguiente proxima proximo continuamos seguimos sigue prossima avanti continuiamo prosegui proxima
  volgende verder doorgaan dalej nastepne kolejne co дальше далее следующий dal dalsi nasta vidare fortsatt seuraava sonraki
  devam التالي הלאה आगे lanjut berikutnya tiep επομενη urmatoarea kovetkezo`),
);

type Kind = 'filler' | 'glue' | 'substance';

const NOTHING = new Set(wordsOf('nothing nichts rien nada niente nulla niets nic ничего nothin'));

interface Lexicon {
  /** Word sequences, joined by spaces, that are an acknowledgement; single words included. */
  core: ReadonlySet<string>;
  /** Those that are one as a whole clause, to the letter: "moment" is one, "at the moment" is not. */
  clauses: ReadonlySet<string>;
  alone: ReadonlySet<string>;
  /** One set of glue a language: a clause is glued by words of one language, not by a mixture. */
  glue: readonly ReadonlySet<string>[];
  longest: number;
  thanks: ReadonlySet<string>;
  /** Every word of the above. */
  known: ReadonlySet<string>;
  /** Words that a typing error may have been meant for. */
  typable: readonly string[];
}

const lexicon = buildLexicon();
const unspaced = Object.entries(UNSPACED_FILLERS).map(([language, { core, glue, alone }]) => ({
  pieces: new Map([
    ...compact(glue).map((piece) => [piece, false] as const),
    ...[...compact(core), ...setPhrases(UNSPACED_SET_PHRASES[language], '')].map(
      (piece) => [piece, true] as const,
    ),
  ]),
  alone: new Set(compact(alone)),
}));

/**
 * Whether a message neither brings nor asks for information: "yes", "ok sounds good", "next question", "thanks!" and their
 * like in some twenty languages, emoji alone, with typing errors and repetitions. A message passes only when every word
 * of it is accounted for, so a single word of substance ("yes, but legal has not agreed") makes it none.
 */
export function isFiller(message: string): boolean {
  if (message.length > LONGEST_FILLER) return false;
  const text = message
    .normalize('NFKC')
    .toLowerCase()
    .replace(NUMBER_IDIOMS, ' plusone ')
    .replace(EMOTICONS, ' ')
    .replace(PICTURES, ' ');
  if (/\p{N}/u.test(text)) return false;
  if (wordsOf(text).length > MOST_WORDS) return false;
  let acknowledged = false;
  let said = false;
  for (const { clause, asks } of clausesOf(text)) {
    const words = wordsOf(clause);
    if (words.length === 0) continue;
    said = true;
    const kind = judgeClause(words);
    if (kind === 'substance' || (kind === 'glue' && words.length > (acknowledged ? 5 : 2))) return false;
    if (asks && (kind === 'glue' || !asksToGoOn(words))) return false;
    if (kind === 'filler') acknowledged = true;
  }
  return acknowledged || !said;
}

/** A question of one or two such words ("ok?"), a set phrase ("why not?"), or one whether to go on. */
function asksToGoOn(words: string[]): boolean {
  return words.length <= 2 || lexicon.core.has(words.join(' ')) || words.some((word) => GO_ON.has(word));
}

function clausesOf(text: string): { clause: string; asks: boolean }[] {
  const ends = text.match(new RegExp(CLAUSE_END, 'g')) ?? [];
  return text.split(CLAUSE_END).map((clause, i) => ({ clause, asks: QUESTION_MARKS.test(ends[i] ?? '') }));
}

function judgeClause(words: string[]): Kind {
  const asRun = coverRun(words.join(''));
  if (asRun !== 'substance') return asRun;
  if (lexicon.clauses.has(words.join(' '))) return 'filler';
  const corrected = words.map(correct);
  if (isThanksFor(corrected)) return 'filler';
  if (corrected.every((word) => lexicon.alone.has(word))) return 'filler';
  const [first, ...rest] = corrected;
  if (first !== undefined && lexicon.alone.has(first) && isPronounFirst(rest)) return cover(rest);
  return cover(corrected);
}

/** Thanks for something in a few words, which are not "nothing". */
function isThanksFor(words: string[]): boolean {
  for (let size = 1; size <= 6 && size < words.length; size += 1) {
    if (lexicon.thanks.has(words.slice(0, size).join(' '))) {
      return words.length - size <= 5 && !words.some((word) => NOTHING.has(word));
    }
  }
  return false;
}

/** After a "no", only a clause of its own ("no it's fine", "no we are good") says that nothing is missing. */
function isPronounFirst([word]: string[]): boolean {
  return word !== undefined && ['i', 'im', 'we', 'were', 'it', 'its', 'that', 'thats', 'all'].includes(word);
}

function cover(words: string[]): Kind {
  const kinds = lexicon.glue.map((glue) =>
    coverage(words, ' ', lexicon.longest, (piece) =>
      lexicon.core.has(piece) ? true : glue.has(piece) ? false : null,
    ),
  );
  return strongest(kinds);
}

function coverRun(run: string): Kind {
  const kinds = unspaced.map(
    ({ pieces, alone }): Kind =>
      alone.has(run) ? 'filler' : coverage([...run], '', LONGEST_PIECE, (piece) => pieces.get(piece) ?? null),
  );
  return strongest(kinds);
}

function strongest(kinds: Kind[]): Kind {
  return kinds.find((kind) => kind === 'filler') ?? kinds.find((kind) => kind === 'glue') ?? 'substance';
}

/**
 * Whether a sequence can be put together from known pieces: `filler` with a core piece among them, `glue` without.
 *
 * @param isCore true for a core piece, false for glue, null for a piece that is not known
 */
function coverage(
  units: string[],
  separator: string,
  longest: number,
  isCore: (piece: string) => boolean | null,
): Kind {
  // positions that pieces from the start reach, without and with a core piece on the way
  const bare = new Set([0]);
  const cored = new Set<number>();
  for (let at = 0; at < units.length; at += 1) {
    if (!bare.has(at) && !cored.has(at)) continue;
    for (let end = at + 1; end <= Math.min(units.length, at + longest); end += 1) {
      const core = isCore(units.slice(at, end).join(separator));
      if (core === null) continue;
      if (core || cored.has(at)) cored.add(end);
      if (!core && bare.has(at)) bare.add(end);
    }
  }
  if (cored.has(units.length)) return 'filler';
  return bare.has(units.length) ? 'glue' : 'substance';
}

/** The word that was meant: letters held down ("yessss") and a single typing error are forgiven. */
function correct(word: string): string {
  const guesses = [
    word,
    word.replace(/(\p{L})\1{2,}/gu, '$1'),
    word.replace(/(\p{L})\1{2,}/gu, '$1$1'),
    word.replace(/(\p{L})\1+$/u, '$1'),
    word.replace(/^(.{2,6}?)\1+$/u, '$1'),
  ];
  return (
    guesses.find((guess) => lexicon.known.has(guess)) ??
    lexicon.typable.find((known) => isNearly(word, known)) ??
    word
  );
}

function buildLexicon(): Lexicon {
  const languages = [
    ENGLISH_FILLERS,
    ...Object.values(WESTERN_FILLERS),
    ...Object.values(LATIN_FILLERS),
    ...Object.values(SCRIPT_FILLERS),
  ];
  const phrases = languages.flatMap(({ core, phrases }) => [...core.split(/\s+/), ...phrases.split('|')]);
  const praise = wordsOf(PRAISE.adjectives).flatMap((adjective) =>
    wordsOf(PRAISE.nouns).map((noun) => `${adjective} ${noun}`),
  );
  const typed = new Set([...praise, ...phrases.map((phrase) => wordsOf(phrase).join(' '))]);
  typed.delete('');
  const set = Object.values({ ...LATIN_SET_PHRASES, ...SCRIPT_SET_PHRASES }).flatMap((language) =>
    setPhrases(language, ' '),
  );
  const core = new Set([...typed, ...set.filter((phrase) => phrase.includes(' '))]);
  const alone = new Set(languages.flatMap((language) => wordsOf(language.alone)));
  const glue = languages.map((language) => new Set(wordsOf(language.glue)));
  const coreWords = [...core].flatMap((phrase) => phrase.split(' '));
  return {
    core,
    clauses: new Set(set),
    alone,
    glue,
    thanks: new Set(THANKS_FOR.split('|').map((phrase) => wordsOf(phrase).join(' '))),
    longest: Math.max(...[...core].map((phrase) => phrase.split(' ').length)),
    known: new Set([...coreWords, ...alone, ...glue.flatMap((words) => [...words])]),
    // Set phrases are left out: they have words that a word of substance may look like.
    typable: [
      ...new Set([...[...typed].flatMap((phrase) => phrase.split(' ')), ...wordsOf(ENGLISH_FILLERS.glue)]),
    ],
  };
}

/** A language's set phrases in the form in which they are compared, their words joined by `separator`. */
function setPhrases(language: SetPhrases | undefined, separator: string): string[] {
  return Object.values(language ?? {}).flatMap((phrases: string) =>
    phrases.split('|').map((phrase) => wordsOf(phrase).join(separator)),
  );
}

function compact(words: string): string[] {
  return words
    .split(/\s+/)
    .map((word) => wordsOf(word).join(''))
    .filter((word) => word !== '');
}
