import type { AnswerFacts } from '../model.ts';
import { termsOf } from './words.ts';

const PROBE_QUESTIONS = 2;

/**
 * Two or three questions to ask next: of the active probe those that what is known and what was said say least about,
 * and one of a triggered pattern. A question that was asked in a recalled turn comes last.
 */
export function questionsToAsk(facts: AnswerFacts): string[] {
  const questions = facts.probe?.questions ?? [];
  const patternQuestion = facts.patterns[0]?.questions[0];
  const known = new Set([...facts.stateLines, facts.message].flatMap(termsOf));
  const asked = facts.recalledTurns.map(({ response }) => response).join('\n');
  const turn = rotation(facts, questions.length);
  const ranked = questions
    .map((question, index) => {
      const terms = termsOf(question);
      const covered = terms.filter((term) => known.has(term)).length / Math.max(1, terms.length);
      return {
        question,
        asked: asked.includes(question),
        // what is half covered is as open as what is not
        answered: covered > 0.5,
        place: (index - turn + questions.length) % Math.max(1, questions.length),
      };
    })
    .sort(
      (a, b) =>
        Number(a.asked) - Number(b.asked) || Number(a.answered) - Number(b.answered) || a.place - b.place,
    )
    .map(({ question }) => question);
  const count = patternQuestion === undefined ? PROBE_QUESTIONS + 1 : PROBE_QUESTIONS;
  const chosen = ranked.slice(0, count);
  return patternQuestion === undefined || chosen.includes(patternQuestion)
    ? chosen
    : [...chosen, patternQuestion];
}

/** Where to begin, so that a conversation does not ask the same two questions every turn; the same for the same facts. */
function rotation(facts: AnswerFacts, count: number): number {
  if (count === 0 || facts.priming) return 0;
  let hash = 0;
  for (const char of facts.message) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 9_973;
  return (hash + facts.stateLines.length + facts.recalledTurns.length) % count;
}
