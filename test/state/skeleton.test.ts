import { describe, expect, it } from 'vitest';
import { MAX_HISTORY } from '../../src/contract/state.ts';
import { filledFields, type Skeleton, setSkeletonField } from '../../src/state/skeleton.ts';

const at = (turn: number | null, day = 1) => ({ turn, now: new Date(Date.UTC(2025, 0, day)) });

describe('setSkeletonField', () => {
  it('keeps earlier values with the turn and time that set them', () => {
    const first = Object.freeze(setSkeletonField({}, 'root_cause', ' Late invoices ', at(2, 1)));
    const second = setSkeletonField(first, 'root_cause', 'Two CRMs', at(5, 2));
    const third = setSkeletonField(second, 'root_cause', 'No owner', at(null, 3));
    expect(third.root_cause).toEqual({
      value: 'No owner',
      turn: null,
      updated_at: '2025-01-03T00:00:00.000Z',
      history: [
        { value: 'Late invoices', turn: 2, at: '2025-01-01T00:00:00.000Z' },
        { value: 'Two CRMs', turn: 5, at: '2025-01-02T00:00:00.000Z' },
      ],
      sources: [],
      stale: [],
    });
    expect(first.root_cause?.history).toEqual([]);
  });

  it('changes nothing when the value is there already', () => {
    const skeleton = setSkeletonField({}, 'constraints', 'EU only', at(1));
    expect(setSkeletonField(skeleton, 'constraints', 'EU only ', at(9))).toBe(skeleton);
    expect(setSkeletonField({}, 'constraints', '', at(9))).toEqual({});
  });

  it('clears a field by an empty value and keeps its history', () => {
    const skeleton = setSkeletonField(
      setSkeletonField({}, 'constraints', 'EU only', at(1)),
      'constraints',
      '',
      at(2),
    );
    expect(skeleton.constraints?.value).toBe('');
    expect(skeleton.constraints?.history.map(({ value }) => value)).toEqual(['EU only']);
    expect(filledFields(skeleton)).toEqual([]);
  });

  it('drops the oldest value when the history is full', () => {
    let skeleton: Skeleton = {};
    for (let n = 0; n <= MAX_HISTORY + 1; n += 1)
      skeleton = setSkeletonField(skeleton, 'constraints', `v${n}`, at(1));
    expect(skeleton.constraints?.history).toHaveLength(MAX_HISTORY);
    expect(skeleton.constraints?.history[0]?.value).toBe('v1');
  });
});

describe('filledFields', () => {
  it('lists them in the order of the skeleton', () => {
    let skeleton = setSkeletonField({}, 'recommendation', 'Stop', at(1));
    skeleton = setSkeletonField(skeleton, 'problem_statement', 'Slow', at(1));
    expect(filledFields(skeleton).map(([field]) => field)).toEqual(['problem_statement', 'recommendation']);
  });
});
