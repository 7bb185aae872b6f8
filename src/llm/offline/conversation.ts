import type { AnswerFacts, PastExchange } from '../model.ts';
import { clip, inline } from './clip.ts';
import { askedKeys, keysOf } from './matching.ts';
import { sentencesOf } from './sentences.ts';
import { plain } from './words.ts';

/** Something that the user said in an earlier turn. */
export interface Said {
  turnNumber: number;
  sentence: string;
  /** How much of the question it has, 0 to 1. */
  coverage: number;
}

const LONGEST_SENTENCE = 320;
const LEAST_COVERAGE = 0.5;
/** What is nearly as good and was said later counts: people correct themselves. */
const NEARLY = 0.85;
const ASKS_BACK =
  /\b(?:(?:did|have|had|has) (?:i|we) (?:just |ever |already )?(?:say|said|mention|mentioned|tell|told|write|written|call|called|give|given)|i (?:just )?(?:said|mentioned|told|wrote)|remind (?:me|us)|again\s*[?.!]*$|what (?:was|were) (?:our|my|the)|(?:said|mentioned|told you) (?:before|earlier|just now)|habe? (?:ich|wir) .*(?:gesagt|erwahnt|erzahlt|genannt)|sagte ich|(?:noch ?mal|nochmals)\s*[?.!]*$|erinnere? mich)/u;
const ASKS_FOR_QUESTION =
  /\b(?:what (?:did|do|were) you (?:just )?(?:ask|want to know|asking)|what was your (?:last )?question|(?:repeat|say) (?:the|your) (?:last )?questions?|which questions? (?:did|do) you|was hast du (?:mich )?(?:eben |gerade )?gefragt|was war deine frage)/u;
/** A blank line, or the beginning of a list item. */
const PARAGRAPH_END = /\n\s*\n|\n(?=\s*(?:[-*+]|\d{1,3}[.)])\s)/;
const QUESTION = /[?？]\s*["”’')]*\s*$/;

/** Whether a question is about what was said in the conversation. */
export const asksBack = (question: string): boolean => ASKS_BACK.test(plain(question));

/** Whether the user wants to hear again what they were asked. */
export const asksForQuestion = (question: string): boolean => ASKS_FOR_QUESTION.test(plain(question));

/** The questions at the end of the latest reply that has any. */
export function lastQuestions({ recentTurns }: Pick<AnswerFacts, 'recentTurns'>): string[] {
  for (const { response } of recentTurns.toReversed()) {
    const questions = response.match(/^\d+\. .+\?$/gm) ?? [];
    if (questions.length > 0) return questions;
  }
  return [];
}

/**
 * What of the earlier turns at hand answers a question best; of what is nearly as good, what was said last.
 *
 * @param least how much of the question it must have, 0 to 1
 */
export function saidBefore(
  question: string,
  { recentTurns, recalledTurns }: Pick<AnswerFacts, 'recentTurns' | 'recalledTurns'>,
  least = LEAST_COVERAGE,
): Said | null {
  const wanted = askedKeys(question);
  if (wanted.length === 0) return null;
  const turns = new Map([...recalledTurns, ...recentTurns].map((turn) => [turn.turnNumber, turn]));
  const found = [...turns.values()]
    .flatMap((turn) => statedIn(turn))
    .map((said) => ({ ...said, coverage: coverageOf(wanted, said.sentence) }))
    .filter(({ coverage }) => coverage >= least);
  const most = Math.max(0, ...found.map(({ coverage }) => coverage));
  return (
    found
      .filter(({ coverage }) => coverage >= NEARLY * most)
      .sort((a, b) => b.turnNumber - a.turnNumber || b.coverage - a.coverage)[0] ?? null
  );
}

/** In which turn the user said it, word for word. */
export const saidLine = ({ turnNumber, sentence }: Said): string =>
  `In turn ${turnNumber} you said: “${clip(inline(sentence), LONGEST_SENTENCE)}”`;

function statedIn({ turnNumber, message }: PastExchange): Omit<Said, 'coverage'>[] {
  return message
    .split(PARAGRAPH_END)
    .flatMap(sentencesOf)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && !QUESTION.test(sentence))
    .map((sentence) => ({ turnNumber, sentence }));
}

function coverageOf(wanted: readonly string[], sentence: string): number {
  const keys = new Set(keysOf(sentence));
  return wanted.filter((key) => keys.has(key)).length / wanted.length;
}
