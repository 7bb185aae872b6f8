import { describe, expect, it } from 'vitest';
import type { Assumption } from '../../src/contract/state.ts';
import { assemble } from '../../src/copilot/assemble.ts';
import { assembleInput, BUDGETS, decision, passage, prose, stateWith } from '../helpers/copilot.ts';

const register = (count: number, tokens = 30): Assumption[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `a${i + 1}`,
    statement: prose(tokens, `claim ${i}`),
    confidence: 'guessed',
    impact: i % 3 === 0 ? 'high' : 'low',
    status: i % 7 === 0 ? 'invalidated' : 'active',
    depends_on: [],
    source_turn: 1,
    evidence: [],
    sources: [],
    stale: [],
  }));
const recent = [1, 2, 3].map((turn_number) => ({
  turn_number,
  status: 'completed' as const,
  priming: false,
  message: prose(600, `m${turn_number}`),
  response: prose(600, `r${turn_number}`),
}));
const sectionOf = ({ sections }: ReturnType<typeof assemble>, wanted: string) =>
  sections.find(({ name }) => name === wanted);

describe.each([60, 300])('a register of %i assumptions', (count) => {
  const state = stateWith({
    assumptions: register(count),
    routing: { ...stateWith({}).routing, conversation_summary: prose(200, 'before') },
  });

  it.each([false, true])('is whole in the prompt, with retrieval %s', (retrieval) => {
    const assembled = assemble(
      assembleInput({
        message: 'yes',
        state,
        recent,
        decision: decision({ requires_retrieval: retrieval }),
        passages: retrieval ? [0, 1, 2, 3].map((i) => passage(`p${i}`, prose(2_000, `p${i}`))) : [],
      }),
    );
    const shown = sectionOf(assembled, 'register');
    expect(shown?.items.map(({ item }) => item.id)).toEqual(state.assumptions.map(({ id }) => id));
    expect(shown?.text).not.toContain('not shown');
    const { budget, raisedBy, tokens, dropped } = assembled;
    expect(budget - raisedBy).toBe(retrieval ? BUDGETS.turn : BUDGETS.filler);
    expect(tokens).toBeLessThanOrEqual(budget);
    expect(raisedBy).toBe(tokens > budget - raisedBy ? shown && registerTokens(shown) : 0);
    // what can be spared goes first, and what a turn lives on stays
    const spared = [
      ...dropped.map(({ id }) => id),
      ...assembled.sections.flatMap(({ items }) =>
        items.flatMap(({ item, narrowed }) => (narrowed ? item.id : [])),
      ),
    ];
    expect(spared).toContain(retrieval ? 'p3' : 'conversation_summary');
    expect(sectionOf(assembled, 'recent_turns')?.items.length).toBeGreaterThan(0);
    if (retrieval) expect(sectionOf(assembled, 'retrieved_documents')?.items.length).toBeGreaterThan(0);
  });
});

const registerTokens = ({ items }: { items: { form: { tokens: number } }[] }): number =>
  items.reduce((sum, { form }) => sum + form.tokens, 0);

it('raises nothing while it fits', () => {
  const assembled = assemble(assembleInput({ state: stateWith({ assumptions: register(10) }) }));
  expect([assembled.budget, assembled.raisedBy]).toEqual([BUDGETS.turn, 0]);
});

it('is refused clearly where it does not fit the model', () => {
  const budgets = { ...BUDGETS, window: 20_000 };
  const input = assembleInput({ state: stateWith({ assumptions: register(300, 90) }), budgets });
  expect(() => assemble(input)).toThrow(
    expect.objectContaining({ code: 'state_too_large', detail: expect.stringContaining('20000') }),
  );
});
