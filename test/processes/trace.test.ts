import { expect, it } from 'vitest';
import { believableSteps } from '../../src/processes/trace.ts';

const NAMES = ['convert', 'cut'];
const asked = performance.timeOrigin;

it('takes the steps that a process can have taken since it was asked', () => {
  const steps = [
    { name: 'convert', from: asked + 1, to: asked + 2 },
    { name: 'cut', from: asked + 2, to: asked + 3 },
  ];
  expect(believableSteps(steps, NAMES, asked)).toEqual(steps);
});

it('cuts off what would lie before the request or after its answer', () => {
  const [step] = believableSteps([{ name: 'cut', from: 0, to: Number.MAX_VALUE }], NAMES, asked);
  expect(step?.from).toBe(asked);
  expect(step?.to).toBeLessThanOrEqual(performance.timeOrigin + performance.now());
});

it.each([
  ['no list', { length: 1 }],
  ['another name', [{ name: 'zebrafinch', from: asked, to: asked }]],
  ['no times', [{ name: 'cut', from: 'zebrafinch', to: asked }]],
  ['times without an end', [{ name: 'cut', from: asked, to: Number.POSITIVE_INFINITY }]],
  ['an end before the beginning', [{ name: 'cut', from: asked + 2, to: asked + 1 }]],
  ['more than anybody does', Array(17).fill({ name: 'cut', from: asked, to: asked })],
  ['nothing', undefined],
])('takes none of them: %s', (_why, said) => {
  expect(believableSteps(said, NAMES, asked)).toEqual([]);
});
