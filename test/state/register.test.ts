import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Assumption, assumptionSchema, MAX_ASSUMPTIONS } from '../../src/contract/state.ts';
import { AppError } from '../../src/errors.ts';
import { dependantsOf, findCycle } from '../../src/state/dependencies.ts';
import type { AssumptionUpdate, NewAssumption } from '../../src/state/inputs.ts';
import { checkRegister, registerAssumption, updateAssumption } from '../../src/state/register.ts';

let statements = 0;
/** One that says what no other does. */
const input = (depends_on: string[] = []): NewAssumption => ({
  statement: `Managers read report ${++statements}`,
  confidence: 'guessed',
  impact: 'high',
  depends_on,
});

/** A register whose n-th assumption depends on the ids of the n-th list. */
const register = (...dependencies: string[][]): Assumption[] =>
  dependencies.reduce<Assumption[]>((list, ids) => registerAssumption(list, input(ids), 1).assumptions, []);

const statuses = (assumptions: readonly Assumption[]) =>
  Object.fromEntries(assumptions.map(({ id, status }) => [id, status]));

const failure = (run: () => unknown): AppError => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};

describe('registerAssumption', () => {
  it('numbers from a1 and records the turn, leaving the given register as it was', () => {
    const before = Object.freeze(register([]));
    const { assumptions, assumption } = registerAssumption(
      before,
      { ...input(['a1', 'a1']), statement: 'Managers read the report', evidence: ['Call with Ines'] },
      4,
    );
    expect(assumption).toEqual({
      id: 'a2',
      statement: 'Managers read the report',
      confidence: 'guessed',
      impact: 'high',
      status: 'active',
      depends_on: ['a1'],
      source_turn: 4,
      evidence: ['Call with Ines'],
      sources: [],
      stale: [],
    });
    expect(assumptions).toHaveLength(2);
    expect(before).toHaveLength(1);
  });

  it('goes on after the highest id, and fills a gap only when the ids are used up', () => {
    const [first] = register([]);
    if (!first) throw new Error('empty');
    expect(registerAssumption([{ ...first, id: 'a7' }], input(), 1).assumption.id).toBe('a8');
    expect(registerAssumption([first, { ...first, id: 'a999999' }], input(), 1).assumption.id).toBe('a2');
  });

  it('is at risk from the start when it rests on an invalidated one', () => {
    const fallen = updateAssumption(register([]), { id: 'a1', status: 'invalidated' }).assumptions;
    expect(registerAssumption(fallen, input(['a1']), 2).assumption.status).toBe('at_risk');
  });

  it('refuses a dependency that does not exist, with a pointer to it', () => {
    const error = failure(() => registerAssumption(register([]), input(['a1', 'a9']), 1));
    expect(error.code).toBe('unknown_field_value');
    expect(error.errors?.[0]?.pointer).toBe('/depends_on/1');
  });

  it('refuses more than the register can hold', () => {
    const [one] = register([]);
    const full = Array.from(
      { length: MAX_ASSUMPTIONS },
      (_, n) => ({ ...one, id: `a${n + 1}`, statement: `It takes ${n} days` }) as Assumption,
    );
    expect(failure(() => registerAssumption(full, input(), 1)).code).toBe('invalid_request');
  });
});

describe('updateAssumption', () => {
  it('puts every transitive dependant at risk when one is invalidated, and nothing else', () => {
    const before = register([], ['a1'], ['a2'], [], ['a4', 'a3']);
    const { assumptions, flagged } = updateAssumption(before, { id: 'a1', status: 'invalidated' });
    expect(statuses(assumptions)).toEqual({
      a1: 'invalidated',
      a2: 'at_risk',
      a3: 'at_risk',
      a4: 'active',
      a5: 'at_risk',
    });
    expect(flagged).toEqual(['a2', 'a3', 'a5']);
    expect(new Set(Object.values(statuses(before)))).toEqual(new Set(['active']));
  });

  it('reports only what this change put at risk, and leaves invalidated dependants invalidated', () => {
    let list = register([], ['a1'], ['a1'], []);
    list = updateAssumption(list, { id: 'a2', status: 'invalidated' }).assumptions;
    expect(updateAssumption(list, { id: 'a1', status: 'invalidated' }).flagged).toEqual(['a3']);
    list = updateAssumption(list, { id: 'a1', status: 'invalidated' }).assumptions;
    expect(statuses(list).a2).toBe('invalidated');
  });

  it('adds evidence once, replaces dependencies and keeps what is not named', () => {
    let list = register([], [], ['a1']);
    list = updateAssumption(list, { id: 'a3', evidence: ['Survey'], confidence: 'informed' }).assumptions;
    const { assumption } = updateAssumption(list, {
      id: 'a3',
      evidence: ['Survey', 'Log'],
      depends_on: ['a2'],
    });
    expect(assumption).toMatchObject({
      evidence: ['Survey', 'Log'],
      depends_on: ['a2'],
      confidence: 'informed',
      impact: 'high',
    });
  });

  it('keeps dependants at risk when what they rest on is believed again, until each is settled', () => {
    let list = updateAssumption(register([], ['a1']), { id: 'a1', status: 'invalidated' }).assumptions;
    list = updateAssumption(list, { id: 'a1', status: 'active' }).assumptions;
    expect(statuses(list)).toEqual({ a1: 'active', a2: 'at_risk' });
    list = updateAssumption(list, { id: 'a2', status: 'active' }).assumptions;
    expect(statuses(list)).toEqual({ a1: 'active', a2: 'active' });
  });

  it('refuses to settle one as active while it rests on an invalidated one, unless the dependency goes', () => {
    const list = updateAssumption(register([], ['a1'], ['a2']), {
      id: 'a1',
      status: 'invalidated',
    }).assumptions;
    const error = failure(() => updateAssumption(list, { id: 'a3', status: 'active' }));
    expect(error.code).toBe('invalid_request');
    expect(error.detail).toContain('a3 rests on a1');
    expect(updateAssumption(list, { id: 'a3', status: 'active', depends_on: [] }).assumption.status).toBe(
      'active',
    );
  });

  it.each([
    ['itself', 'a1', ['a1'], 'a1 -> a1'],
    ['a circle of three', 'a1', ['a3'], 'a1 -> a3 -> a2 -> a1'],
  ])('refuses %s', (_what, id, depends_on, path) => {
    const error = failure(() => updateAssumption(register([], ['a1'], ['a2']), { id, depends_on }));
    expect(error.code).toBe('dependency_cycle');
    expect(error.detail).toContain(path);
  });

  it('refuses an assumption that does not exist', () => {
    const error = failure(() => updateAssumption([], { id: 'a1', impact: 'low' }));
    expect(error.code).toBe('unknown_field_value');
    expect(error.errors?.[0]?.pointer).toBe('/id');
  });
});

describe('checkRegister', () => {
  it('refuses two assumptions of one id', () => {
    const [one] = register([]);
    if (!one) throw new Error('empty');
    const error = failure(() => checkRegister([one, one], '/assumptions'));
    expect(error.errors?.[0]?.pointer).toBe('/assumptions/1/id');
  });
});

describe('findCycle', () => {
  it('follows a chain of any length without recursion', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => ({ id: `n${n}`, depends_on: [`n${n + 1}`] }));
    expect(findCycle(chain)).toBeNull();
    expect(findCycle([...chain, { id: 'n50000', depends_on: ['n49999'] }])).toEqual([
      'n49999',
      'n50000',
      'n49999',
    ]);
  });
});

type Operation = { add: NewAssumption } | { change: AssumptionUpdate };

const someId = fc.integer({ min: 1, max: 9 }).map((n) => `a${n}`);
const someIds = fc.array(someId, { maxLength: 3 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  someIds.map((ids) => ({ add: input(ids) })),
  fc
    .record(
      {
        id: someId,
        depends_on: someIds,
        status: fc.constantFrom('active', 'at_risk', 'invalidated' as const),
      },
      { requiredKeys: ['id'] },
    )
    .map((change) => ({ change: change as AssumptionUpdate })),
);

const step = (list: Assumption[], each: Operation): Assumption[] => {
  try {
    return 'add' in each
      ? registerAssumption(list, each.add, 1).assumptions
      : updateAssumption(list, each.change).assumptions;
  } catch (error) {
    if (error instanceof AppError) return list;
    throw error;
  }
};

// An independent reading of the rule, to compare with: does a path lead from `id` to `target`?
const reaches = (list: readonly Assumption[], id: string, target: string): boolean =>
  list
    .find((each) => each.id === id)
    ?.depends_on.some((next) => next === target || reaches(list, next, target)) ?? false;

describe('any sequence of operations', () => {
  const seed: Operation[] = Array.from({ length: 5 }, () => ({ add: input() }));

  it('never leaves a circle, an unknown dependency or an invalid assumption', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const list = [...seed, ...operations].reduce<Assumption[]>(step, []);
        checkRegister(list, '');
        for (const { id } of list) expect(reaches(list, id, id)).toBe(false);
        for (const each of list) assumptionSchema.parse(each);
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('leaves no active assumption that reaches an invalidated one', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const list = [...seed, ...operations].reduce<Assumption[]>(step, []);
        const fallen = list.filter(({ status }) => status === 'invalidated');
        const unsound = list.filter(
          ({ id, status }) => status === 'active' && fallen.some((each) => reaches(list, id, each.id)),
        );
        expect(unsound).toEqual([]);
      }),
      { seed: 12, numRuns: 200 },
    );
  });

  it('flags exactly the active ones of the transitive closure when one is invalidated', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), fc.nat(), (operations, pick) => {
        const list = [...seed, ...operations].reduce<Assumption[]>(step, []);
        const id = list[pick % list.length]?.id ?? 'a1';
        const closure = list.filter((each) => reaches(list, each.id, id)).map((each) => each.id);
        expect([...dependantsOf(list, [id])].toSorted()).toEqual(closure.toSorted());
        const active = list.filter((each) => each.status === 'active' && closure.includes(each.id));
        expect(updateAssumption(list, { id, status: 'invalidated' }).flagged).toEqual(
          active.map((each) => each.id),
        );
      }),
      { seed: 13, numRuns: 200 },
    );
  });
});
