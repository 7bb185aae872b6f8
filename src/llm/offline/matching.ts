import { isForeignFunctionWord } from '../../text/function-words.ts';
import { isStopWord } from '../../text/stop-words.ts';
import { plain, termsOf } from './words.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Words of questions that say nothing of what is asked about. */
const ASKING = new Set(
  `show know give find get got say said says tell told mention mentioned remind explain describe many much long exactly actually
  currently please may need hoch je files file documents document anything something someone habe gesagt sagte erwähnt erzählt genau eigentlich
  datei dateien dokument dokumente`.split(/\s+/),
);
/** So many characters of a stem are compared, so that inflections and the parts of long words meet. */
const KEY = 7;
/** Words that ask for the same, under one key. */
const SAME: [RegExp, string][] = [
  [/^(?:deci[ds]|entsch(?:ei|ie)d)/, '=decide'],
  [/^(?:deadlin|frist|stichta|due$)/, '=deadline'],
];

/** Turns of phrase that say the same, under one key. */
const SAME_PHRASES: [RegExp, string][] = [
  [
    /\b(?:at (?:the )?most|maximum|no more than|not more than|never (?:\w+ )?(?:above|over|more)|up to|limited to|höchstens|maximal|nicht mehr als)\b/giu,
    ' kmost ',
  ],
  [
    /\b(?:at (?:the )?least|minimum|no less than|not less than|mindestens|nicht weniger als)\b/giu,
    ' kleast ',
  ],
];

/** What a question or a text is about, as keys to compare: content words cut to their stems. */
export function keysOf(text: string): string[] {
  const said = SAME_PHRASES.reduce((so, [pattern, key]) => so.replace(pattern, key), text);
  const words = (said.match(WORD) ?? []).filter(
    (word) => !isStopWord(word.toLowerCase()) && !isForeignFunctionWord(word),
  );
  return [...new Set(termsOf(words.join(' ')).map(keyOf))];
}

/** The same of a question, without the words of asking. */
export function askedKeys(question: string): string[] {
  const words = (question.match(WORD) ?? []).filter((word) => !ASKING.has(word.toLowerCase()));
  return keysOf(words.join(' '));
}

/** Keys of the names in a question: capitalised words that do not begin it, and what has a digit in it. */
export function namedKeys(question: string): Set<string> {
  const names = (question.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []).filter(
    (word, index) => (index > 0 && /^\p{Lu}/u.test(word)) || /\p{N}/u.test(word),
  );
  return new Set(names.flatMap(keysOf));
}

function keyOf(term: string): string {
  const word = plain(term);
  return SAME.find(([pattern]) => pattern.test(word))?.[1] ?? word.slice(0, KEY);
}
