import type { Assumption, ProjectState, SkeletonField } from '../contract/state.ts';
import { block, inline } from './contained-text.ts';
import { FIELD_TITLES } from './field-titles.ts';
import { countsLine, registerCounts } from './lines.ts';
import { filledFields } from './skeleton.ts';
import { staleNote } from './staleness.ts';

const BRIEF_SECTIONS: readonly [string, readonly SkeletonField[]][] = [
  ['Problem', ['problem_statement', 'target_audience']],
  ['Urgency', ['temporal_trigger', 'urgency_assessment']],
  ['People', ['stakeholders', 'decision_maker', 'status_quo_beneficiary']],
  ['Causes', ['root_cause', 'contributing_factors']],
  ['Success', ['success_metrics', 'anti_metrics', 'minimum_viable_outcome']],
  ['Limits', ['constraints', 'non_negotiables']],
  ['Evidence', ['evidence_base']],
];

const EVALUATION_SECTIONS: readonly [string, readonly SkeletonField[]][] = [
  ['Recommendation', ['recommendation']],
  ['Problem and solution', ['problem_statement', 'proposed_solution', 'problem_solution_fit']],
  ['The four risks', ['value_risk', 'usability_risk', 'feasibility_risk', 'viability_risk']],
  ['Delivery', ['implementation_risks', 'organizational_readiness']],
  ['Context', ['competitive_context', 'sustainability']],
  ['Measured by', ['success_metrics', 'anti_metrics']],
];

/** The artifact `problem_brief`: what discovery has confirmed and assumed. The same state gives the same Markdown. */
export function renderProblemBrief(projectName: string, state: ProjectState): string {
  return render(`Problem brief: ${inline(projectName)}`, BRIEF_SECTIONS, state);
}

/** The artifact `solution_evaluation`: the verdicts on the proposed solution. The same state gives the same Markdown. */
export function renderSolutionEvaluation(projectName: string, state: ProjectState): string {
  return render(`Solution evaluation: ${inline(projectName)}`, EVALUATION_SECTIONS, state);
}

function render(
  title: string,
  sections: readonly [string, readonly SkeletonField[]][],
  state: ProjectState,
): string {
  const filled = new Set(filledFields(state.skeleton).map(([field]) => field));
  const fields = sections.flatMap(([, names]) => names);
  const known = fields.filter((field) => filled.has(field));
  const parts = [
    `# ${title}`,
    `${known.length} of ${fields.length} fields are established. Assumptions: ${countsLine(registerCounts(state))}.`,
    ...sections.flatMap(([heading, names]) => [
      `## ${heading}`,
      ...names.flatMap((field) => renderField(state, field)),
    ]),
    ...renderAssumptions(state.assumptions),
    ...renderOpen(
      fields.filter((field) => !filled.has(field)),
      state.assumptions,
    ),
    ...renderSources(state),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderField(state: ProjectState, field: SkeletonField): string[] {
  const heading = `### ${FIELD_TITLES[field]}`;
  const entry = state.skeleton[field];
  if (entry === undefined || entry.value === '') return [heading, '_Not established yet._'];
  const source = entry.turn === null ? 'Set by hand' : `Set in turn ${entry.turn}`;
  const revisions = entry.history.length;
  const revised =
    revisions === 0 ? '' : `, after ${revisions} earlier ${revisions === 1 ? 'value' : 'values'}`;
  const stale = entry.stale.length === 0 ? '' : ` Stale: ${inline(staleNote(entry.stale))}.`;
  return [heading, block(entry.value), `_${source}${revised}.${stale}_`];
}

const STATUS_HEADINGS = { active: 'Held', at_risk: 'At risk', invalidated: 'Invalidated' } as const;
const IMPACT_ORDER = ['high', 'medium', 'low'];
const CONFIDENCE_ORDER = ['guessed', 'informed', 'validated'];

function renderAssumptions(assumptions: readonly Assumption[]): string[] {
  if (assumptions.length === 0) return ['## Assumptions', '_None registered._'];
  const groups = (['active', 'at_risk', 'invalidated'] as const).flatMap((status) => {
    const group = riskiestFirst(assumptions.filter((each) => each.status === status));
    return group.length === 0
      ? []
      : [`### ${STATUS_HEADINGS[status]}`, group.map(renderAssumption).join('\n')];
  });
  return ['## Assumptions', ...groups];
}

/** By impact, then the least supported, then the order of the register. */
function riskiestFirst(assumptions: readonly Assumption[]): Assumption[] {
  const rank = ({ impact, confidence }: Assumption): number =>
    IMPACT_ORDER.indexOf(impact) * CONFIDENCE_ORDER.length + CONFIDENCE_ORDER.indexOf(confidence);
  return assumptions.toSorted((a, b) => rank(a) - rank(b));
}

function renderAssumption({
  id,
  statement,
  confidence,
  impact,
  depends_on,
  evidence,
  source_turn,
  stale,
}: Assumption): string {
  const facts = [
    confidence,
    `${impact} impact`,
    ...(depends_on.length > 0 ? [`rests on ${depends_on.join(', ')}`] : []),
    ...(source_turn === null ? [] : [`turn ${source_turn}`]),
    ...(stale.length === 0 ? [] : [`stale: ${inline(staleNote(stale))}`]),
  ];
  const lines = evidence.map((each) => `\n  - Evidence: ${inline(each)}`);
  return `- **${id}** ${inline(statement)} (${facts.join('; ')})${lines.join('')}`;
}

function renderOpen(missing: readonly SkeletonField[], assumptions: readonly Assumption[]): string[] {
  const guesses = assumptions.filter(
    ({ impact, confidence, status }) =>
      impact === 'high' && confidence === 'guessed' && status !== 'invalidated',
  );
  const shaken = assumptions.filter(({ status }) => status === 'at_risk');
  const lines = [
    ...missing.map((field) => `- ${FIELD_TITLES[field]} is not established.`),
    ...guesses.map(({ id }) => `- ${id} has a high impact and is only guessed: it needs a test.`),
    ...shaken.map(({ id }) => `- ${id} rests on something invalidated: it needs to be settled.`),
  ];
  return ['## Open points', lines.length === 0 ? '_None._' : lines.join('\n')];
}

function renderSources({ file_summaries }: ProjectState): string[] {
  if (file_summaries.length === 0) return [];
  const lines = file_summaries.map(({ filename, summary }) => {
    const name = `\`${inline(filename).replaceAll('`', "'")}\``;
    return summary === '' ? `- ${name}` : `- ${name}: ${inline(summary)}`;
  });
  return ['## Documents', lines.join('\n')];
}
