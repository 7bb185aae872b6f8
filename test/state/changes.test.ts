import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { emptyState, MAX_TEXT, type ProjectState, projectStateSchema } from '../../src/contract/state.ts';
import { AppError } from '../../src/errors.ts';
import { applyChange, parseChange, type StateChange } from '../../src/state/changes.ts';
import { STATE_TOOLS } from '../../src/state/inputs.ts';

const by = { turn: 3, now: new Date('2025-05-04T10:00:00Z') };
const call = (state: ProjectState, tool: string, input: unknown) =>
  applyChange(state, parseChange(tool, input), by);

const failure = (run: () => unknown): AppError => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};

const assumption = { statement: 'Finance agrees', confidence: 'guessed', impact: 'high' };
const another = { ...assumption, statement: 'Sales agrees' };

describe('parseChange', () => {
  it.each([
    ['register_assumption', { ...assumption, confidence: 'certain' }, '/confidence'],
    ['register_assumption', { ...assumption, depends_on: ['a0'] }, '/depends_on/0'],
    ['register_assumption', { ...assumption, statement: '  ' }, '/statement'],
    ['register_assumption', { ...assumption, source_turn: 1 }, '/source_turn'],
    ['update_assumption', { id: 'a1' }, ''],
    ['update_skeleton', { field: 'mood', value: 'good' }, '/field'],
    ['update_skeleton', { field: 'constraints', value: 'x'.repeat(MAX_TEXT + 1) }, '/value'],
    ['update_org_context', { text: 'A bank', mode: 'prepend' }, '/mode'],
    ['complete_probe', { probe: 7 }, '/probe'],
    ['complete_probe', 'temporal-trigger', ''],
    ['complete_probe', null, ''],
  ])('refuses a bad input of %s with a pointer to it', (tool, input, pointer) => {
    const error = failure(() => parseChange(tool, input));
    expect(error.code).toBe('invalid_request');
    expect(error.errors?.map((each) => each.pointer)).toContain(pointer);
  });

  it.each(['drop_table', 'switch_mode', 'constructor', '__proto__'])('refuses the tool %s', (tool) => {
    expect(failure(() => parseChange(tool, {})).code).toBe('unknown_field_value');
  });

  it('has a description and a closed JSON schema for every tool', () => {
    for (const { description, input } of Object.values(STATE_TOOLS)) {
      expect(description.length).toBeGreaterThan(40);
      const schema = z.toJSONSchema(input, { io: 'input' });
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });
});

describe('applyChange', () => {
  it('registers assumptions and tells their ids', () => {
    const first = call(emptyState(), 'register_assumption', assumption);
    const second = call(first.state, 'register_assumption', { ...another, depends_on: ['a1'] });
    expect(second.result).toMatchObject({ id: 'a2', status: 'active', put_at_risk: [] });
    expect(second.state.assumptions.map(({ source_turn }) => source_turn)).toEqual([3, 3]);
  });

  it('gives back the assumption that says the same, and tells the model so', () => {
    const first = call(emptyState(), 'register_assumption', assumption);
    const second = call(first.state, 'register_assumption', { ...assumption, statement: 'FINANCE agrees.' });
    expect(second.result).toMatchObject({ id: 'a1', statement: 'Finance agrees', already_registered: true });
    expect(second.result.note).toContain('a1 says this already');
    expect(first.result).not.toHaveProperty('already_registered');
  });

  it('tells the model what an invalidation put at risk', () => {
    let { state } = call(emptyState(), 'register_assumption', assumption);
    ({ state } = call(state, 'register_assumption', { ...another, depends_on: ['a1'] }));
    const applied = call(state, 'update_assumption', {
      id: 'a1',
      status: 'invalidated',
      evidence: ['She said no'],
    });
    expect(applied.result).toMatchObject({ id: 'a1', status: 'invalidated', put_at_risk: ['a2'] });
    expect(applied.state.assumptions[1]?.status).toBe('at_risk');
  });

  it('sets a skeleton field and returns what it replaced', () => {
    const first = call(emptyState(), 'update_skeleton', { field: 'root_cause', value: 'Late invoices' });
    expect(first.result).toEqual({ field: 'root_cause', value: 'Late invoices', previous_value: null });
    const second = call(first.state, 'update_skeleton', { field: 'root_cause', value: 'Two CRMs' });
    expect(second.result.previous_value).toBe('Late invoices');
    expect(second.state.skeleton.root_cause).toMatchObject({
      turn: 3,
      updated_at: '2025-05-04T10:00:00.000Z',
    });
    expect(second.state.skeleton.root_cause?.history).toHaveLength(1);
  });

  it('appends to the organisation context by default, once, and replaces on request', () => {
    let { state } = call(emptyState(), 'update_org_context', { text: 'A bank.' });
    ({ state } = call(state, 'update_org_context', { text: 'Two CRMs.' }));
    ({ state } = call(state, 'update_org_context', { text: 'A bank.' }));
    expect(state.org_context).toBe('A bank.\n\nTwo CRMs.');
    ({ state } = call(state, 'update_org_context', { text: 'An insurer.', mode: 'replace' }));
    expect(state.org_context).toBe('An insurer.');
  });

  it('refuses an organisation context that grows too long', () => {
    const { state } = call(emptyState(), 'update_org_context', { text: 'x'.repeat(MAX_TEXT) });
    expect(failure(() => call(state, 'update_org_context', { text: 'y' })).detail).toContain('replace');
  });

  it('completes a probe that was asked, once, and leaves it', () => {
    const state = emptyState();
    state.routing.active_probe = 'temporal-trigger';
    state.routing.probes_fired = ['temporal-trigger', 'stakeholder-mapping'];
    const first = call(state, 'complete_probe', { probe: 'temporal-trigger' });
    expect(first.result).toEqual({ probe: 'temporal-trigger' });
    expect(first.state.routing).toMatchObject({
      active_probe: null,
      probes_fired: ['temporal-trigger', 'stakeholder-mapping'],
      probes_completed: ['temporal-trigger'],
    });
    const other = call(state, 'complete_probe', { probe: 'stakeholder-mapping' });
    expect(other.state.routing.active_probe).toBe('temporal-trigger');
    expect(failure(() => call(first.state, 'complete_probe', { probe: 'temporal-trigger' })).detail).toBe(
      '"temporal-trigger" is complete already. What can be completed now: stakeholder-mapping.',
    );
  });

  it.each([
    ['a probe that was never asked', 'root-cause-depth', '"root-cause-depth" was never asked.'],
    ['a probe of the other mode', 'sustainability', 'is no probe of the mode discovery, which is active.'],
    ['an unknown probe', 'toString', 'There is no probe "toString".'],
  ])('refuses to complete %s, and says what can be completed', (_, probe, why) => {
    const state = emptyState();
    state.routing.probes_fired = ['temporal-trigger', 'sustainability'];
    const error = failure(() => call(state, 'complete_probe', { probe }));
    expect(error.code).toBe('unknown_field_value');
    expect(error.errors?.[0]?.pointer).toBe('/probe');
    expect(error.detail).toContain(why);
    expect(error.detail).toContain('What can be completed now: temporal-trigger.');
    expect(failure(() => call(emptyState(), 'complete_probe', { probe })).detail).toContain(
      'No probe can be completed now.',
    );
  });

  it('leaves the active probe when the mode changes, and only then', () => {
    const state = emptyState();
    state.routing.active_probe = 'temporal-trigger';
    const same: StateChange = { tool: 'switch_mode', input: { mode: 'discovery' } };
    expect(applyChange(state, same, by).state.routing.active_probe).toBe('temporal-trigger');
    const other = applyChange(state, { tool: 'switch_mode', input: { mode: 'evaluation' } }, by);
    expect(other.state.routing).toMatchObject({ active_mode: 'evaluation', active_probe: null });
    expect(other.result).toEqual({ mode: 'evaluation', previous_mode: 'discovery' });
  });

  it('never modifies the state it is given, and gives a valid one', () => {
    const { state: one } = call(emptyState(), 'register_assumption', assumption);
    const { state } = call(one, 'register_assumption', { ...another, depends_on: ['a1'] });
    state.routing.probes_fired = ['temporal-trigger'];
    const before = structuredClone(state);
    const inputs: [string, unknown][] = [
      ['register_assumption', { ...assumption, statement: 'Legal agrees' }],
      ['register_assumption', { ...assumption, evidence: ['A call'] }],
      ['update_assumption', { id: 'a1', status: 'invalidated', evidence: ['x'] }],
      ['update_skeleton', { field: 'constraints', value: 'EU' }],
      ['update_org_context', { text: 'A bank' }],
      ['complete_probe', { probe: 'temporal-trigger' }],
    ];
    for (const [tool, value] of inputs) projectStateSchema.parse(call(state, tool, value).state);
    expect(state).toEqual(before);
  });
});
