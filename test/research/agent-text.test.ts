import { expect, it } from 'vitest';
import { createAgentText } from '../../src/research/agent-text.ts';

function told() {
  const events: string[] = [];
  const text = createAgentText(({ type, data }) =>
    events.push('text' in data ? `${type}: ${data.text}` : type),
  );
  return { events, text };
}

it('makes a thought of what stands in front of calls', () => {
  const { events, text } = told();
  const first = text.listener(null);
  first.onReasoning('Hm.');
  first.onText('I look ');
  first.onText('it up.');
  expect(first.goesOn('I look it up.')).toBe('Hm.\n\nI look it up.');
  const second = text.listener(null);
  second.onText('Eleven weeks.');
  expect(second.ends()).toBe(true);
  expect(events).toEqual([
    'reasoning.delta: Hm.',
    'reasoning.delta: \n\nI look it up.',
    'answer.delta: Eleven weeks.',
  ]);
  expect(text.answer()).toBe('Eleven weeks.');
});

it.each([
  [['[comp', 'lete]\nAll of it.'], 'All of it.', true],
  [['[COMPLETE] All.'], 'All.', true],
  [['Part', ' of it, and the rest is missing.'], 'So far: Part of it, and the rest is missing.', false],
  [['No.'], 'So far: No.', false],
])('reads at the last step whether the answer is whole: %j', (pieces, expected, isWhole) => {
  const { text } = told();
  const last = text.listener('So far: ');
  for (const piece of pieces) last.onText(piece);
  expect(last.ends()).toBe(isWhole);
  expect(text.answer()).toBe(expected);
});
