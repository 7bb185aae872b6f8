import type { AnswerFacts } from '../model.ts';
import { askedKeys, keysOf } from './matching.ts';
import { plain, wordsOf } from './words.ts';

/** A question about the files themselves, not about what they say on something. */
export type FileQuestion =
  | { about: 'all' }
  /** Which of them speak of something; `topic` as keys to compare. */
  | { about: 'mentions'; topic: string[] }
  /** What one holds: its headings, its size, its summary. */
  | { about: 'one'; filename: string };

const FILES =
  '(?:files?|documents?|docs|papers|uploads?|sources|dateien?|dokumente?|unterlagen|fichiers?|archivos?|documentos?|bestanden?)';
const LISTS = new RegExp(
  [
    `^(?:which|what|how many|welche|wie viele|quels?|que|cuantos|welke) ${FILES} (?:(?:do|did|have|has|can|could) (?:i|we|you)|are (?:there|in|here|uploaded|available|known)|(?:exist|habe|haben|hast|hat|gibt|liegen|sind|kennst|kannst|avons|tenemos|hay)\\b)`,
    `^(?:how many|number of|wie viele) ${FILES}[.?!]*$`,
    `^(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my| our| your)? ${FILES}[.?!]*$`,
    `^(?:what|which)(?: all)? (?:have|did) (?:i|we) upload`,
    `^(?:have you|did you|hast du|haben sie) (?:read|seen|got|gelesen)\\b`,
  ].join('|'),
);
const MENTIONS = new RegExp(
  `^(?:which|what|welche[sr]?|in which|in welche[rm]) ${FILES}(?: of (?:mine|ours))? (?:mentions?|contains?|talks? (?:about|of)|speaks? (?:about|of)|says? (?:something|anything) (?:about|on)|refers? to|names?|covers?|discuss(?:es)?|is about|are about|deals? with|erwahnt|erwahnen|nennt|nennen|enthalt|enthalten|handelt von)\\s+(?<topic>.+)$`,
);
/** What stands before the file in a question about the whole of it; nothing but the file follows. */
const WHOLE = new RegExp(
  [
    '^(?:what(?:s| is| does| are)|was (?:ist|steht)|worum geht es|wovon handelt)(?: (?:all|alles))?(?: (?:in|inside|contained in|im|in der|in dem|der|die|das))?',
    '^(?:which|what|how many|welche|wie viele) (?:sections?|chapters?|headings?|parts?|abschnitte|kapitel) (?:does|has|have|are in|hat|haben)',
    '^how (?:long|big|large) (?:is|are)',
    '^wie (?:lang|gross) ist',
    '^(?:please )?(?:can you |could you )?(?:summari[sz]e|sum up|outline|describe|give me (?:a |an )?(?:summary|outline|overview) of|show me (?:the )?(?:outline|structure|sections) of)',
    '^(?:a |an |the )?(?:summary|outline|overview|structure|table of contents) of',
    '^(?:bitte )?(?:fasse?|zusammenfassung) (?:mir )?',
    '^(?:have you|did you|hast du|haben sie) (?:read|seen|got|gelesen)',
  ].join('|'),
);
const AFTER =
  /^(?: (?:about|contain|have|has|say|cover|hold|for me|please|enthalten|zusammen|drin|bitte|all|in total|overall))*$/;
const ARTICLES = new Set(wordsOf('the a an our my your this that of der die das den dem unser unsere im'));
const LEAST_WORD = 4;

/**
 * What a question asks of the files as files; null when it asks for something that they say.
 *
 * @param question without courtesies
 */
export function fileQuestion(question: string, files: AnswerFacts['files']): FileQuestion | null {
  const asked = plain(question).trim().replace(/\s+/g, ' ');
  const mentions = MENTIONS.exec(asked);
  if (mentions) {
    const topic = askedKeys(question).filter((key) => keysOf(mentions.groups?.topic ?? '').includes(key));
    if (topic.length > 0) return { about: 'mentions', topic };
  }
  const file = wholeFile(asked, files);
  if (file !== null) return { about: 'one', filename: file };
  return LISTS.test(asked) ? { about: 'all' } : null;
}

/** The one file that a question about a whole file names; null: it names none, several, or asks for more. */
function wholeFile(asked: string, files: AnswerFacts['files']): string | null {
  const before = WHOLE.exec(asked)?.[0];
  if (before === undefined) return null;
  const rest = wordsOf(asked.slice(before.length)).filter((word) => !ARTICLES.has(word));
  const named = files.flatMap(({ filename }) => {
    const left = withoutName(rest, filename);
    return left !== null && AFTER.test(left.map((word) => ` ${word}`).join('')) ? [filename] : [];
  });
  const [only, ...others] = named;
  return only !== undefined && others.length === 0 ? only : null;
}

/** The words without those that name the file: its name, or words of its name's stem; null: it is not named. */
function withoutName(words: readonly string[], filename: string): string[] | null {
  const extension = wordsOf(/\.[^.]{1,8}$/.exec(filename)?.[0] ?? '');
  const stem = wordsOf(filename.replace(/\.[^.]{1,8}$/, ''));
  const name = new Set([...stem, ...extension]);
  const isNamed = words.some((word) => word.length >= LEAST_WORD && stem.includes(word));
  return isNamed ? words.filter((word) => !name.has(word)) : null;
}
