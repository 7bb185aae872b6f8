import type { AnswerFacts } from '../model.ts';

/** How much was searched, in brackets behind what came of it; empty when nothing was. */
export function coverageNote(coverage: AnswerFacts['coverage']): string {
  if (!coverage || coverage.considered === 0) return '';
  return ` (${coverage.considered} ${coverage.considered === 1 ? 'section' : 'sections'} searched)`;
}
