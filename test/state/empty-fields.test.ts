import { describe, expect, it } from 'vitest';
import { emptyFields } from '../../src/state/empty-fields.ts';
import { setSkeletonField } from '../../src/state/skeleton.ts';
import { knowledge } from '../helpers/copilot.ts';

const filled = setSkeletonField({}, 'problem_statement', 'Leads go cold.', { turn: 1, now: new Date(0) });

describe('emptyFields', () => {
  it('are those that the probes of the mode ask for and nobody has filled', () => {
    const empty = emptyFields(filled, knowledge, 'discovery');
    expect(empty).toContain('target_audience');
    expect(empty).not.toContain('problem_statement');
    expect(empty).not.toContain('recommendation');
  });

  it('are for the evaluation also those of discovery that its instructions rest on', () => {
    const { body } = knowledge.core.evaluation;
    expect(body).toContain('If the problem statement, audience or success metrics are empty');
    const empty = emptyFields({}, knowledge, 'evaluation');
    expect(empty.slice(0, 3)).toEqual(['problem_statement', 'target_audience', 'success_metrics']);
    expect(empty).toContain('recommendation');
    expect(empty).not.toContain('constraints');
    expect(emptyFields(filled, knowledge, 'evaluation')).not.toContain('problem_statement');
  });
});
