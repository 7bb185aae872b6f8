import type { SkeletonField } from '../../contract/state.ts';
import type { AnswerFacts } from '../model.ts';
import { inline } from './clip.ts';
import { plain } from './words.ts';

/** Questions that ask for a field of the skeleton, in their plain form, and what of a field with several lines. */
const ASKED: [SkeletonField, RegExp, line?: RegExp][] = [
  [
    'decision_maker',
    /\bwho (?:\w+ ){0,4}(?:decides?|makes the (?:decision|call))\b|decision[- ]?maker|\bwer (?:\w+ ){0,3}entscheide/,
  ],
  [
    'temporal_trigger',
    /\bdeadline|\bby when\b|\bwhen (?:do|must|should) we (?:have to |need to )?(?:ship|launch|deliver|release|go live|be done|finish)|\bbis wann\b|\bfrist\b/,
  ],
  ['constraints', /\b(?:our|the|das|unser) budget\b|\bhow much (?:money|budget)\b/, /budget/i],
  ['constraints', /\bconstraints?\b|einschrankung/],
  ['target_audience', /\baudience\b|\bwho is (?:this|it) for\b|zielgruppe/],
  ['problem_statement', /\b(?:our|the) problem\b|\bunser problem\b/],
  ['success_metrics', /\bmeasure success\b|\bsuccess (?:metric|criteri)|\berfolg\b/],
  ['non_negotiables', /non-?negotiable|not negotiable/],
  ['root_cause', /\broot cause\b|\bursache\b/],
];

/** What is on record and a question asks for, with the turn that said it; null: nothing is. */
export function recordedLine(
  question: string,
  { skeleton }: Pick<AnswerFacts, 'skeleton'>,
): { line: string; turnNumber: number | null } | null {
  const asked = plain(question);
  for (const [field, pattern, wanted] of ASKED) {
    const entry = pattern.test(asked) ? skeleton.find((each) => each.field === field) : undefined;
    const value = entry?.value
      .split('\n')
      .filter((line) => !wanted || wanted.test(line))
      .map(inline)
      .join('; ');
    if (!entry || !value) continue;
    const since = entry.turnNumber === null ? '' : ` since turn ${entry.turnNumber}`;
    return { line: `On record${since}: ${entry.title}: ${value}`, turnNumber: entry.turnNumber };
  }
  return null;
}
