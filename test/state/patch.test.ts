import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyState, type ProjectState, projectStateSchema } from '../../src/contract/state.ts';
import { AppError } from '../../src/errors.ts';
import { patchState } from '../../src/state/patch.ts';
import { registerAssumption, updateAssumption } from '../../src/state/register.ts';
import { setSkeletonField } from '../../src/state/skeleton.ts';

const now = new Date('2025-06-01T00:00:00Z');
const patched = (state: ProjectState, patch: unknown) => patchState(state, patch, { now });

const failure = (state: ProjectState, patch: unknown): AppError => {
  try {
    patched(state, patch);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};
const pointers = (error: AppError) => error.errors?.map(({ pointer }) => pointer);

/** Three assumptions in a chain, and one skeleton field. */
function someState(): ProjectState {
  let { assumptions } = emptyState();
  for (const depends_on of [[], ['a1'], ['a2']]) {
    const input = {
      statement: `It holds, after ${depends_on}`,
      confidence: 'guessed',
      impact: 'high',
    } as const;
    assumptions = registerAssumption(assumptions, { ...input, depends_on: [...depends_on] }, 2).assumptions;
  }
  const skeleton = setSkeletonField({}, 'root_cause', 'Late invoices', { turn: 2, now: new Date(0) });
  return { ...emptyState(), assumptions, skeleton, turn_count: 2 };
}

describe('patchState', () => {
  it('changes what it names and nothing else, without touching the given state', () => {
    const state = someState();
    const before = structuredClone(state);
    expect(patched(state, { org_context: 'A bank' })).toEqual({ ...before, org_context: 'A bank' });
    expect(state).toEqual(before);
  });

  it.each(['file_summaries', 'turn_count', 'schema_version'] as const)('refuses to write %s', (field) => {
    const state = someState();
    const error = failure(state, { org_context: 'A bank', [field]: state[field] });
    expect(error.code).toBe('invalid_request');
    expect(error.errors).toMatchObject([{ pointer: `/${field}`, code: 'read_only' }]);
  });

  it('refuses another summary of the conversation, which each turn makes anew, and takes back the one it gave', () => {
    const state = someState();
    state.routing.conversation_summary = 'Turn 1: Hello.';
    const routing = { ...state.routing, active_mode: 'evaluation' as const };
    const error = failure(state, { routing: { ...routing, conversation_summary: 'Turn 1: Nothing.' } });
    expect(error.errors).toMatchObject([{ pointer: '/routing/conversation_summary', code: 'read_only' }]);
    expect(patched(state, { routing }).routing).toMatchObject({
      conversation_summary: 'Turn 1: Hello.',
      active_mode: 'evaluation',
    });
  });

  it.each([[null], [[]], ['x'], [3]])('refuses %j as a patch', (patch) => {
    expect(failure(someState(), patch).code).toBe('invalid_request');
  });

  it.each([
    [{ mood: 1 }, '/mood'],
    [{ org_context: 5 }, '/org_context'],
    [{ assumptions: {} }, '/assumptions'],
    [{ assumptions: [{ statement: 'x', impact: 'high' }] }, '/assumptions/0/confidence'],
    [{ assumptions: [7] }, '/assumptions/0'],
    [{ skeleton: 'none' }, '/skeleton'],
    [{ skeleton: { 'a/b~c': 'x' } }, '/skeleton/a~1b~0c'],
    [{ skeleton: { root_cause: 5 } }, '/skeleton/root_cause'],
    [{ skeleton: { root_cause: { value: 5 } } }, '/skeleton/root_cause/value'],
    [{ skeleton: { root_cause: { value: 'x', colour: 'red' } } }, '/skeleton/root_cause/colour'],
    [{ skeleton: { root_cause: 'x'.repeat(20_000) } }, '/skeleton/root_cause/value'],
    [{ routing: { active_mode: 'sales' } }, '/routing/active_mode'],
    [{ routing: 'none' }, '/routing'],
  ])('refuses %j with a pointer', (patch, pointer) => {
    const error = failure(someState(), patch);
    expect(error.code).toBe('invalid_request');
    expect(pointers(error)).toContain(pointer);
  });

  it.each([
    ['{"__proto__":{"org_context":"x"}}', '/__proto__'],
    ['{"routing":{"__proto__":{"active_mode":"evaluation"}}}', '/routing/__proto__'],
    ['{"skeleton":{"__proto__":{"value":"x"}}}', '/skeleton/__proto__'],
    ['{"skeleton":{"constructor":"x"}}', '/skeleton/constructor'],
  ])('refuses %s', (json, pointer) => {
    expect(pointers(failure(someState(), JSON.parse(json)))).toContain(pointer);
  });

  it('refuses a list too long to be worth reading, and a patch nested too deep', () => {
    expect(pointers(failure(someState(), { assumptions: Array(1_001).fill({}) }))).toEqual(['/assumptions']);
    const deep: unknown = JSON.parse(`${'{"routing":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    expect(failure(someState(), deep).code).toBe('invalid_request');
  });

  it('names no more than 50 wrong fields', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
    expect(failure(someState(), many).errors).toHaveLength(50);
  });

  it('resets a member to its empty value by null', () => {
    const state = patched(someState(), {
      org_context: 'A bank',
      routing: { active_probe: 'root-cause-depth' },
    });
    expect(patched(state, { org_context: null, assumptions: null, skeleton: null, routing: null })).toEqual({
      ...emptyState(),
      turn_count: 2,
    });
  });
});

describe('the skeleton in a patch', () => {
  it.each([
    ['a text', 'Two CRMs'],
    ['a value', { value: 'Two CRMs' }],
    ['an entry as it was read', { value: 'Two CRMs', turn: 99, updated_at: 'x', history: [] }],
  ])('is written as %s, by no turn, with the history kept', (_what, root_cause) => {
    expect(patched(someState(), { skeleton: { root_cause } }).skeleton.root_cause).toEqual({
      value: 'Two CRMs',
      turn: null,
      updated_at: '2025-06-01T00:00:00.000Z',
      history: [{ value: 'Late invoices', turn: 2, at: '1970-01-01T00:00:00.000Z' }],
      sources: [],
      stale: [],
    });
  });

  it('keeps the turn of a value that does not change', () => {
    const state = someState();
    expect(patched(state, { skeleton: { root_cause: 'Late invoices' } })).toEqual(state);
  });

  it('erases a field with its history by null', () => {
    expect(patched(someState(), { skeleton: { root_cause: null, constraints: null } }).skeleton).toEqual({});
  });
});

describe('the register in a patch', () => {
  it('flags the dependants of what a client invalidated', () => {
    const state = someState();
    const assumptions = state.assumptions.map((each) =>
      each.id === 'a1' ? { ...each, status: 'invalidated' } : each,
    );
    expect(patched(state, { assumptions }).assumptions.map(({ status }) => status)).toEqual([
      'invalidated',
      'at_risk',
      'at_risk',
    ]);
  });

  it('fills in what a client may leave out, and keeps the turn of those that are known', () => {
    const given = { confidence: 'informed', impact: 'low' };
    const [two, four, five] = ['New', 'Newer', 'Newest'].map((statement) => ({ ...given, statement }));
    const { assumptions } = patched(someState(), { assumptions: [{ ...two, id: 'a2' }, four, five] });
    expect(assumptions).toEqual([
      {
        ...two,
        id: 'a2',
        status: 'active',
        depends_on: [],
        evidence: [],
        source_turn: 2,
        sources: [],
        stale: [],
      },
      {
        ...four,
        id: 'a4',
        status: 'active',
        depends_on: [],
        evidence: [],
        source_turn: null,
        sources: [],
        stale: [],
      },
      {
        ...five,
        id: 'a5',
        status: 'active',
        depends_on: [],
        evidence: [],
        source_turn: null,
        sources: [],
        stale: [],
      },
    ]);
  });

  it('refuses a circle, an unknown dependency and a repeated id', () => {
    const state = someState();
    const [a1, a2] = state.assumptions;
    expect(failure(state, { assumptions: [{ ...a1, depends_on: ['a2'] }, a2] }).code).toBe(
      'dependency_cycle',
    );
    const unknown = failure(state, { assumptions: [a2] });
    expect(unknown.code).toBe('unknown_field_value');
    expect(pointers(unknown)).toEqual(['/assumptions/0/depends_on/0']);
    expect(pointers(failure(state, { assumptions: [a1, a1] }))).toEqual(['/assumptions/1/id']);
  });

  it('does not settle what is at risk', () => {
    const state = someState();
    const { assumptions } = updateAssumption(state.assumptions, { id: 'a1', status: 'invalidated' });
    expect(patched({ ...state, assumptions }, { org_context: 'x' }).assumptions).toEqual(assumptions);
  });
});

describe('the routing in a patch', () => {
  it('takes keys that exist, once each', () => {
    const routing = {
      active_probe: 'root-cause-depth',
      probes_fired: ['root-cause-depth', 'root-cause-depth'],
      patterns_triggered: ['scope-ambiguity'],
    };
    expect(patched(someState(), { routing }).routing).toMatchObject({
      active_probe: 'root-cause-depth',
      probes_fired: ['root-cause-depth'],
    });
  });

  it.each([
    [{ active_probe: 'charisma' }, '/routing/active_probe'],
    [{ active_probe: 'sustainability' }, '/routing/active_probe'],
    [{ probes_fired: ['charisma'] }, '/routing/probes_fired'],
    [{ probes_completed: ['toString'] }, '/routing/probes_completed'],
    [{ patterns_triggered: ['charisma'] }, '/routing/patterns_triggered'],
  ])('refuses %j', (routing, pointer) => {
    const error = failure(someState(), { routing });
    expect(error.code).toBe('unknown_field_value');
    expect(pointers(error)).toEqual([pointer]);
  });

  it('leaves a probe of the mode that was left', () => {
    const state = patched(someState(), { routing: { active_probe: 'root-cause-depth' } });
    expect(patched(state, { routing: { active_mode: 'evaluation' } }).routing).toMatchObject({
      active_mode: 'evaluation',
      active_probe: null,
    });
  });
});

describe('any patch', () => {
  it('gives a valid state or an AppError that is not our fault', () => {
    const key = fc.constantFrom(
      'org_context',
      'assumptions',
      'skeleton',
      'routing',
      'root_cause',
      'value',
      '__proto__',
      'id',
      'status',
      'depends_on',
      'active_mode',
    );
    const leaf = fc.constantFrom<unknown>(null, 'a1', 'active', 'evaluation', 1, true, [], ['a1'], {});
    const { node } = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie('node')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
      ),
    }));
    fc.assert(
      fc.property(node, (patch) => {
        try {
          projectStateSchema.parse(patched(someState(), patch));
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          expect(error.code).not.toBe('internal_error');
        }
      }),
      { seed: 31, numRuns: 500 },
    );
  });
});
