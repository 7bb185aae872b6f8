import type { SkeletonField } from '../../contract/state.ts';
import { sentencesOf } from './sentences.ts';
import { ASSUMPTION_RULES, FIELD_RULES, type FieldRule } from './statement-rules.ts';
import { withoutCourtesies } from './without-courtesies.ts';

/** What a message states plainly. */
export type Statement =
  | { kind: 'field'; field: SkeletonField; value: string; joins: FieldRule['joins'] }
  | { kind: 'assumption'; statement: string };

const LONGEST_MESSAGE = 4_000;
const LONGEST_SENTENCE = 400;
const MOST_STATEMENTS = 8;
const LONGEST_VALUE = 300;

// Quoted, cited or copied: not the user's own word.
const QUOTED = /^\s*(?:>|\||```|~~~|#{1,6}\s)/;
/** A quotation may have several sentences: it is taken out before the paragraph is cut into them. */
const QUOTATION = /["“„«][^"”“»]*["”“»]/gu;
const HAS_QUOTE = /["“”„«»]|(?:^|\s)['‘][^'’]{12,}['’]/u;
const CITES =
  /\b(?:according to|(?:the|this|our|that) (?:report|document|file|notes?|paper|runbook|handbook|brief|email|e-mail|deck|article|plan) (?:says?|states?|claims?|mentions?|reads?|lists?|names?)|(?:he|she|they|someone|somebody|people|[A-Z]\w+) (?:says?|said|claims?|thinks?|believes?) (?:that )?|laut|gemäß|angeblich|zufolge)\b/u;
// Not stated but weighed, wished or asked.
const HEDGED =
  /\b(?:if|unless|whether|suppose|supposing|imagine|maybe|perhaps|possibly|probably|might|may be|could|would be|should be|what about|let'?s say|say that|hypothetically|not sure|unsure|unclear|don'?t know|do not know|no idea|for example|e\.g\.|used to|was once|wish|hope|wenn|falls|ob|vielleicht|eventuell|möglicherweise|wahrscheinlich|könnte|könnten|würde|würden|wäre|wären|hätte|angenommen|nicht sicher|unklar|weiß nicht|keine ahnung|zum beispiel)\b/iu;
const NEGATED =
  /\b(?:is|are|was|were|have|has|do|does|did|will|must|need)(?:n['’]t| not| no longer| never)\b|\bno longer\b|\b(?:ist|sind|war|haben|hat|müssen|muss) (?:nicht|noch nicht|nicht mehr|kein\w*)\b/iu;
const ASKS =
  /[?？]|^\s*(?:(?:and|so|but|or|und|aber|oder)\s+)?(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could|should|shall|would|will|has|have|wer|wen|wem|was|welche[rsnm]?|wann|wo|warum|wie|ist|sind|hat|haben|kann|können|soll|sollen|sollten|muss|müssen)\b/iu;
const LEAD =
  /^\s*(?:(?:no|nope|yes|yeah|yep|ok|okay|well|so|and|also|but|right|sure|correction|update|actually|note|remember|please note|note that|fyi|nein|ja|also|und|aber|korrektur|übrigens)\s*[,:;.–—-]+\s*|(?:and|also|but|so|actually|remember that|note that|und|aber|übrigens)\s+)+/iu;

/**
 * What the user states plainly enough to be recorded by rule: fields of the skeleton, and assumptions that are called so. Precise
 * rather than greedy: questions, conditions, doubts, denials, and what is quoted or told of somebody else, state nothing.
 */
export function statementsOf(message: string): Statement[] {
  if (message.length > LONGEST_MESSAGE) return [];
  const own = ownLines(message).map((paragraph) => paragraph.replace(QUOTATION, '“”'));
  const found = own.flatMap((paragraph) => sentencesOf(paragraph).flatMap(statementsIn));
  return found.slice(0, MOST_STATEMENTS);
}

/** Paragraphs of the message that are no quotation, code, table or heading. */
function ownLines(message: string): string[] {
  let isCode = false;
  const lines = message.split('\n').map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    return isCode || QUOTED.test(line) ? '' : line.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '');
  });
  return lines.filter((line) => line.trim() !== '');
}

function statementsIn(raw: string): Statement[] {
  if (raw.length > LONGEST_SENTENCE || HAS_QUOTE.test(raw)) return [];
  const sentence = withoutCourtesies(raw).replace(LEAD, '').trim();
  if (ASKS.test(sentence)) return [];
  const assumption = firstMatch(sentence, ASSUMPTION_RULES);
  if (assumption !== null) {
    return isUsable(assumption) ? [{ kind: 'assumption', statement: asSentence(assumption) }] : [];
  }
  if (HEDGED.test(sentence) || CITES.test(sentence)) return [];
  for (const { field, patterns, joins = 'replaces', deniable = false, whole = false } of FIELD_RULES) {
    const value = firstMatch(sentence, patterns);
    if (value === null) continue;
    if ((!deniable && NEGATED.test(sentence)) || !isUsable(value)) return [];
    return [{ kind: 'field', field, value: withoutStop(whole ? sentence : value), joins }];
  }
  return [];
}

function firstMatch(sentence: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const value = pattern.exec(sentence)?.groups?.value;
    if (value !== undefined) return value.trim();
  }
  return null;
}

/** A value that stands alone: no pronoun that points elsewhere, no gap to fill. */
function isUsable(value: string): boolean {
  return (
    value.length <= LONGEST_VALUE &&
    /\p{L}|\p{N}/u.test(value) &&
    !/^(?:this|that|it|he|she|they|them|him|her|these|those|there|unknown|open|unclear|missing|undecided|tbd|tba|n\/a|nobody|no one|none|someone|somebody|das|es|er|sie|niemand|jemand|offen|unbekannt)\b[\s.!]*$/iu.test(
      value,
    ) &&
    !/^(?:(?:still|yet|not|noch|nicht|unknown|unclear|undecided|open|tbd)\b)/iu.test(value)
  );
}

const withoutStop = (text: string): string => text.replace(/[\s.!…]+$/u, '');

/** With a capital at the beginning and a full stop at the end. */
function asSentence(text: string): string {
  const bare = withoutStop(text);
  return `${bare.charAt(0).toUpperCase()}${bare.slice(1)}.`;
}
