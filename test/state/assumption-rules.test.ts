import { describe, expect, it } from 'vitest';
import { type Assumption, emptyState } from '../../src/contract/state.ts';
import { AppError } from '../../src/errors.ts';
import type { NewAssumption } from '../../src/state/inputs.ts';
import { patchState } from '../../src/state/patch.ts';
import { registerAssumption, updateAssumption } from '../../src/state/register.ts';

const failure = (run: () => unknown): AppError => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it did not fail');
};

const input = (statement = 'Managers read the report'): NewAssumption => ({
  statement,
  confidence: 'guessed',
  impact: 'high',
});

describe('an assumption that is in the register already', () => {
  const churn = { ...input('Churn is 4.1 % (a quarter).') };
  const { assumptions } = registerAssumption([], churn, 1);

  it.each([
    'Churn is 4.1 % (a quarter).',
    'churn is 4.1 % a quarter',
    '  CHURN  is\n4.1 % — a quarter!',
    'Churn is 4.1\u00a0% (a\u200b quarter)',
    'Ｃｈｕｒｎ is 4.1 % a quarter…',
  ])('is not added again: %s', (statement) => {
    const again = registerAssumption(assumptions, { ...churn, statement }, 2);
    expect(again).toMatchObject({ isKnown: true, assumption: { id: 'a1', statement: churn.statement } });
    expect(again.assumptions).toHaveLength(1);
  });

  it.each(['Churn is 41 % a quarter', 'Churn is 4.1 a quarter', 'Churn is -4.1 % a quarter'])(
    'is another where a figure or sign differs: %s',
    (statement) =>
      expect(registerAssumption(assumptions, { ...churn, statement }, 2).assumptions).toHaveLength(2),
  );

  it('knows letters with marks of both Unicode forms', () => {
    const one = registerAssumption([], input('Das Café schließt'.normalize('NFD')), 1);
    const two = input('das Café schließt'.normalize('NFC'));
    expect(registerAssumption(one.assumptions, two, 2).isKnown).toBe(true);
  });

  it('takes what is new, and is neither lowered nor settled by it', () => {
    const [a1] = assumptions;
    if (!a1) throw new Error('empty');
    const before = [{ ...a1, status: 'invalidated' as const, confidence: 'informed' as const }];
    const again = { ...churn, impact: 'low' as const, evidence: ['Ines counted'] };
    expect(registerAssumption(before, again, 2).assumption).toMatchObject({
      status: 'invalidated',
      confidence: 'informed',
      impact: 'high',
      evidence: ['Ines counted'],
      source_turn: 1,
    });
    expect(registerAssumption(before, { ...churn, confidence: 'guessed' }, 2).assumption.evidence).toEqual(
      [],
    );
  });

  it('is not made of another by a change of its words', () => {
    const two = registerAssumption(assumptions, input(), 2).assumptions;
    const error = failure(() => updateAssumption(two, { id: 'a2', statement: 'Churn is 4.1 % a quarter' }));
    expect(error).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('a1') });
    const own = { id: 'a1', statement: 'churn is 4.1 % a quarter' };
    expect(updateAssumption(two, own).assumption.statement).toBe(own.statement);
  });
});

describe('a validated assumption', () => {
  const validated = () => ({ ...input(), confidence: 'validated' as const });
  const file = [{ filename: 'churn.md', version: 1 }];

  it('needs what supports it, when it is registered and when it becomes so', () => {
    const list = registerAssumption([], input('Churn falls'), 1).assumptions;
    for (const refused of [
      () => registerAssumption(list, validated(), 1),
      () => registerAssumption(list, { ...validated(), evidence: [] }, 1),
      () => updateAssumption(list, { id: 'a1', confidence: 'validated' }),
      () => registerAssumption(list, { ...validated(), statement: list[0]?.statement ?? '' }, 1),
    ]) {
      const error = failure(refused);
      expect(error.code).toBe('invalid_request');
      expect(error.errors?.[0]?.pointer).toBe('/evidence');
      for (const word of ['evidence', 'cites', 'informed']) expect(error.detail).toContain(word);
    }
    expect(registerAssumption(list, { ...validated(), evidence: ['Log'] }, 1).assumptions).toHaveLength(2);
    expect(registerAssumption(list, validated(), 1, file).assumptions).toHaveLength(2);
    const update = { id: 'a1', confidence: 'validated' as const };
    expect(updateAssumption(list, { ...update, evidence: ['Log'] }).assumption.confidence).toBe('validated');
    expect(updateAssumption(list, update, file).assumption.confidence).toBe('validated');
  });

  it('is not raised by what it was guessed from, and stays so once it is', () => {
    const guessed = registerAssumption([], { ...input(), evidence: ['A hunch'] }, 1).assumptions;
    expect(failure(() => updateAssumption(guessed, { id: 'a1', confidence: 'validated' })).code).toBe(
      'invalid_request',
    );
    const seen = updateAssumption(guessed, { id: 'a1', confidence: 'validated' }, file).assumptions;
    expect(updateAssumption(seen, { id: 'a1', confidence: 'validated' }).assumption.confidence).toBe(
      'validated',
    );
  });
});

describe('a register that a client sends', () => {
  const register = ['It holds', 'It lasts', 'It pays'].reduce<Assumption[]>(
    (list, statement) => registerAssumption(list, input(statement), 1).assumptions,
    [],
  );
  const patched = (before: Assumption[], assumptions: object[]) =>
    patchState({ ...emptyState(), assumptions: before }, { assumptions }).assumptions;

  it('may not come to say a thing twice, but may be sent back as it was', () => {
    const refused = failure(() => patched(register, [...register, input('IT LASTS!')]));
    expect(refused).toMatchObject({
      code: 'invalid_request',
      detail: 'a2 says this already: update that one.',
      errors: [{ pointer: '/assumptions/3/statement' }],
    });
    const changed = register.map((each) => ({
      ...each,
      statement: each.id === 'a3' ? 'it holds' : each.statement,
    }));
    expect(failure(() => patched(register, changed)).errors?.[0]?.pointer).toBe('/assumptions/2/statement');
    const twice = register.map((each) => ({ ...each, statement: 'It holds' }));
    const sentBack = twice.map((each) => ({ ...each, impact: 'low' }));
    expect(patched(twice, sentBack).map(({ impact }) => impact)).toEqual(['low', 'low', 'low']);
  });

  it('calls nothing validated that nothing supports', () => {
    const [a1] = register;
    const validated = { ...a1, confidence: 'validated' };
    const refused = failure(() => patched(register, [validated]));
    expect([refused.code, refused.errors?.[0]?.pointer]).toEqual([
      'invalid_request',
      '/assumptions/0/evidence',
    ]);
    const [supported] = patched(register, [{ ...validated, evidence: ['The log of May'] }]);
    expect(supported?.confidence).toBe('validated');
  });
});
