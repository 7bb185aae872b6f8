import type { Assumption, ProjectState } from '../contract/state.ts';
import { inline } from './contained-text.ts';
import { FIELD_TITLES } from './field-titles.ts';
import { filledFields } from './skeleton.ts';

const LINE_LENGTH = 160;

/** The register in figures: those still believed, by confidence; of these the ones at risk; and the invalidated. */
export type RegisterCounts = Record<Assumption['confidence'], number> & {
  at_risk: number;
  invalidated: number;
};

/** Counts the register. An invalidated assumption counts under no confidence, one at risk under its own. */
export function registerCounts(state: Pick<ProjectState, 'assumptions'>): RegisterCounts {
  const counts: RegisterCounts = { validated: 0, informed: 0, guessed: 0, at_risk: 0, invalidated: 0 };
  for (const { confidence, status } of state.assumptions) {
    if (status === 'invalidated') counts.invalidated += 1;
    else counts[confidence] += 1;
    if (status === 'at_risk') counts.at_risk += 1;
  }
  return counts;
}

/** The register in one line of figures: `2 validated, 1 informed, 3 guessed; 1 at risk; 1 invalidated`. */
export function countsLine(counts: RegisterCounts): string {
  const parts = [
    `${counts.validated} validated, ${counts.informed} informed, ${counts.guessed} guessed`,
    ...(counts.at_risk > 0 ? [`${counts.at_risk} at risk`] : []),
    ...(counts.invalidated > 0 ? [`${counts.invalidated} invalidated`] : []),
  ];
  return parts.join('; ');
}

/** The state in short lines: what is confirmed, how much is assumed, what is at risk. Empty for a new project. */
export function stateLines(state: ProjectState): string[] {
  const confirmed = filledFields(state.skeleton).map(
    ([field, { value }]) => `${FIELD_TITLES[field]}: ${inline(value, LINE_LENGTH)}`,
  );
  const counts = state.assumptions.length === 0 ? [] : [`Assumptions: ${countsLine(registerCounts(state))}.`];
  const atRisk = state.assumptions
    .filter(({ status }) => status === 'at_risk')
    .map(({ id, statement }) => `At risk: ${id}, ${inline(statement, LINE_LENGTH)}`);
  return [...confirmed, ...counts, ...atRisk];
}
