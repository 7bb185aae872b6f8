import { describe, expect, it } from 'vitest';
import { estimateContexts } from '../../src/copilot/contexts/estimate.ts';
import { type LeafToPlace, planContexts } from '../../src/copilot/contexts/plan.ts';

/** Leaves of so many tokens, one behind the other, each with a section of its own unless told otherwise. */
const leavesOf = (tokens: readonly number[], change: (at: number) => Partial<LeafToPlace> = () => ({})) =>
  tokens.map(
    (each, at): LeafToPlace => ({
      contentHash: `h${at}`,
      parentId: `p${at}`,
      headerPath: [`H${at}`],
      charStart: at * 10,
      charEnd: at * 10 + 9,
      tokens: each,
      isWanted: true,
      ...change(at),
    }),
  );
const hashesOf = (plan: ReturnType<typeof planContexts>) =>
  plan.parts.map(({ calls }) => calls.map((call) => call.map(({ contentHash }) => contentHash)));

describe('planContexts', () => {
  it('has one part where all fits, in calls of ten', () => {
    const plan = planContexts(leavesOf(Array.from({ length: 12 }, () => 5)), 100);
    expect(plan.outline).toEqual([]);
    expect(plan.parts).toMatchObject([{ number: 1, of: 1, charStart: 0, charEnd: 119, tokens: 60 }]);
    expect(hashesOf(plan)).toEqual([
      [
        ['h0', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8', 'h9'],
        ['h10', 'h11'],
      ],
    ]);
  });

  it('cuts parts of about the same size between sections, and long leaves into calls of their own', () => {
    const leaves = leavesOf([3_000, 2_000, 100, 3_000, 50, 50], (at) => ({
      parentId: `p${Math.floor(at / 2)}`,
    }));
    const plan = planContexts(leaves, 5_000);
    expect(plan.outline).toEqual(['H0', 'H1', 'H2', 'H3', 'H4', 'H5']);
    expect(plan.parts).toMatchObject([
      { number: 1, of: 2, charStart: 0, charEnd: 19, tokens: 5_000 },
      { number: 2, of: 2, charStart: 20, charEnd: 59, tokens: 3_200 },
    ]);
    expect(hashesOf(plan)).toEqual([[['h0'], ['h1']], [['h2', 'h3', 'h4', 'h5']]]);
  });

  it('places what is wanted, each content once, and keeps the numbers of parts', () => {
    const leaves = leavesOf([10, 10, 10, 10], (at) => ({
      isWanted: at > 1,
      contentHash: at === 3 ? 'h2' : `h${at}`,
      // a part begins where its first leaf does, wherever this stands
      charStart: (3 - at) * 10,
    }));
    const plan = planContexts(leaves, 20);
    expect(plan.parts).toMatchObject([{ number: 2, of: 2, charStart: 0, tokens: 20 }]);
    expect(hashesOf(plan)).toEqual([[['h2']]]);
    expect(planContexts([], 20)).toEqual({ parts: [], outline: [] });
  });

  it.each([
    ['each a section', (at: number) => `p${at}`],
    ['one section', () => 'p'],
  ])('takes more leaves than a function takes arguments: %s', (_, parentOf) => {
    const count = 200_000;
    const tiny = leavesOf(
      Array.from({ length: count }, () => 1),
      (at) => ({ parentId: parentOf(at) }),
    );
    const plan = planContexts(tiny, 1_000_000);
    expect(plan.parts).toMatchObject([
      { number: 1, of: 1, charStart: 0, charEnd: count * 10 - 1, tokens: count },
    ]);
    expect(plan.parts[0]?.calls).toHaveLength(count / 10);
    const model = { id: 'claude-haiku-5-5', provider: 'anthropic' } as const;
    expect(estimateContexts(model, [plan])).toMatchObject({ leaves: count, calls: count / 10 });
  });
});
