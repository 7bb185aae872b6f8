import { describe, expect, it } from 'vitest';
import { budgetBar, stack, strip, waterfall } from '../../inspect/layout.js';

const part = (name: string, tokens: number) => ({ name, tokens });
const left = (section: string, tokens: number) => ({ section, tokens });

describe('the bar of the budget', () => {
  it('lays the parts side by side and leaves out what takes no place', () => {
    expect(stack([part('a', 10), part('b', 0), part('c', 30)], 80)).toEqual([
      { name: 'a', tokens: 10, start: 0, share: 0.125 },
      { name: 'c', tokens: 30, start: 0.125, share: 0.375 },
    ]);
    expect(stack([], 0)).toEqual([]);
  });

  it('is as long as the budget, with the rest free', () => {
    const bar = budgetBar({ budget: 100, sections: [part('a', 60)], dropped: [left('b', 30)] });
    expect(bar).toMatchObject({ scale: 100, free: 40, budgetAt: 1 });
    expect(bar.dropped).toEqual([{ name: 'b', tokens: 30, start: 0, share: 0.3 }]);
  });

  it.each([
    ['sent', [part('a', 150)], []],
    ['left out', [part('a', 10)], [left('b', 100), left('b', 50)]],
  ])('reaches beyond the budget where more was %s', (_, sections, dropped) => {
    const bar = budgetBar({ budget: 100, sections, dropped });
    expect(bar.scale).toBe(150);
    expect(bar.budgetAt).toBeCloseTo(2 / 3);
    expect(bar.free).toBe(Math.max(0, 100 - (sections[0]?.tokens ?? 0)));
  });

  it('divides nothing by nothing', () => {
    expect(budgetBar({ budget: 0, sections: [], dropped: [] })).toMatchObject({
      scale: 1,
      sent: [],
      free: 0,
    });
  });
});

describe('the steps in time', () => {
  const timings = {
    route: 100,
    embed: 10,
    retrieve: 20,
    assemble: 5,
    first_token: 400,
    answer: 300,
    total: 440,
  };
  const startsOf = (...given: Parameters<typeof waterfall>) =>
    Object.fromEntries(waterfall(...given).phases.map(({ name, start }) => [name, start]));

  it('follow each other where nothing ran side by side', () => {
    expect(startsOf(timings, null)).toEqual({
      route: 0,
      embed: 100,
      retrieve: 110,
      assemble: 130,
      answer: 135,
    });
  });

  it('have the search beside the routing where it was used', () => {
    const speculation = { started_ms: 2, route_finished_ms: 101, used: true };
    expect(startsOf(timings, speculation)).toEqual({
      route: 1,
      embed: 2,
      retrieve: 12,
      assemble: 101,
      answer: 106,
    });
  });

  it('have only the embedding there where the search was made again', () => {
    const speculation = { started_ms: 2, route_finished_ms: 101, used: false };
    expect(startsOf(timings, speculation)).toMatchObject({ embed: 2, retrieve: 101, assemble: 121 });
  });

  it('leave out what did not happen, and have some width even then', () => {
    expect(waterfall({ total: 12 }, null)).toEqual({ phases: [], total: 12, firstToken: null });
    expect(waterfall({}, null).total).toBeGreaterThan(0);
  });
});

it('a conversation has one scale, that of the largest budget, and a column for a turn that sent nothing', () => {
  const sent = (turn_number: number, tokens: number, budget: number) => ({
    turn_number,
    context: { tokens, budget, sections: [part('a', tokens)] },
  });
  const { scale, columns } = strip([sent(1, 50, 100), { turn_number: 2, context: null }, sent(3, 100, 200)]);
  expect(scale).toBe(200);
  expect(columns.map(({ turn, tokens }) => [turn, tokens])).toEqual([
    [1, 50],
    [2, 0],
    [3, 100],
  ]);
  expect(columns[2]?.segments[0]).toMatchObject({ start: 0, share: 0.5 });
});
