import { expect, it } from 'vitest';
import { createRateWindow } from '../../src/embeddings/rate-window.ts';

const SPAN = 60_000;

it.each([0, 10])('drops what no longer counts, with a limit of %i', (limit) => {
  const window = createRateWindow(limit, SPAN, [
    [0, 5],
    [SPAN, 1],
  ]);
  window.waitMs(1, SPAN * 1.5);
  expect(window.parts()).toEqual([[SPAN, 1]]);
  window.waitMs(1, SPAN * 3);
  expect(window.parts()).toEqual([]);
});
