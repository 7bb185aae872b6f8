import { describe, expect, it } from 'vitest';
import {
  assertPricesKnown,
  createAllowance,
  exceeded,
  type PlanInput,
  planTurn,
} from '../../src/copilot/limits.ts';
import type { AppError } from '../../src/errors.ts';
import { costUsd } from '../../src/llm/pricing.ts';

const SONNET = 'claude-sonnet-4-5';
const LEAST_OUTPUT = 256;

const input = (overrides: Partial<PlanInput> = {}): PlanInput => ({
  budgets: { turn: 12_000, filler: 5_000 },
  contextWindow: 200_000,
  maxRounds: 4,
  maxOutputTokens: 4_000,
  leastOutputTokens: LEAST_OUTPUT,
  limits: {},
  price: (usage) => costUsd(SONNET, usage),
  spentUsd: 0.002,
  bareTokens: 3_000,
  factors: { budget: 1, limit: 1.2 },
  ...overrides,
});

/** What the first call of such a plan can cost at most. */
const firstCall = (budget: number, output: number): number =>
  costUsd(SONNET, {
    inputTokens: Math.ceil(budget * 1.2),
    cacheWriteTokens: Math.ceil(budget * 1.2),
    outputTokens: output,
  }) ?? 0;

const failure = (overrides: Partial<PlanInput>): AppError => {
  try {
    planTurn(input(overrides));
  } catch (error) {
    return error as AppError;
  }
  throw new Error('it was planned');
};

describe('planTurn', () => {
  it('changes nothing without limits, or with generous ones', () => {
    const limits = { max_input_tokens: 300_000, max_cost_usd: 5, max_tool_rounds: 9 };
    for (const given of [{}, limits]) {
      expect(planTurn(input({ limits: given }))).toEqual({
        // what the model takes, less the reply, on the safe side
        budgets: { turn: 12_000, filler: 5_000, window: 163_333 },
        maxRounds: 4,
        maxOutputTokens: 4_000,
        applied: [],
      });
    }
  });

  it('hands a limit on, which the register may not exceed either', () => {
    const { budgets, applied } = planTurn(input({ limits: { max_input_tokens: 24_000 } }));
    expect([budgets.turn, budgets.limit, applied]).toEqual([12_000, 19_880, []]);
    const paid = planTurn(input({ limits: { max_cost_usd: 0.5 } })).budgets;
    expect(paid.turn).toBe(12_000);
    expect(paid.limit).toBeGreaterThan(40_000);
    expect(paid.limit).toBeLessThan(paid.window ?? 0);
  });

  it('divides budgets by the factor of the model, but never below what must be sent', () => {
    const plan = planTurn(input({ factors: { budget: 1.2, limit: 1.26 } }));
    expect(plan.budgets).toMatchObject({ turn: 10_000, filler: 4_166 });
    expect(planTurn(input({ bareTokens: 11_500, factors: { budget: 1.2, limit: 1.26 } })).budgets.turn).toBe(
      11_500,
    );
  });

  it('takes tokens off the budget, on the safe side of the count', () => {
    const plan = planTurn(input({ limits: { max_input_tokens: 6_000 } }));
    expect(plan.budgets.turn * 1.2).toBeLessThan(6_000);
    expect(plan.budgets.turn * 1.2).toBeGreaterThan(5_500);
    expect(plan.budgets.filler).toBe(plan.budgets.turn);
    expect(plan.applied).toEqual([
      { limit: 'max_input_tokens', setting: 'budget', from: 12_000, to: plan.budgets.turn },
    ]);
  });

  it('takes rounds off as asked', () => {
    const plan = planTurn(input({ limits: { max_tool_rounds: 2 } }));
    expect(plan.maxRounds).toBe(2);
    expect(plan.applied).toEqual([{ limit: 'max_tool_rounds', setting: 'tool_rounds', from: 4, to: 2 }]);
  });

  it('gives up the budget first, then rounds, then the length of the reply, each no further than needed', () => {
    const settings: string[][] = [];
    for (let cost = 0.2; cost > 0.02; cost -= 0.001) {
      const { budgets, maxRounds, maxOutputTokens, applied } = planTurn(
        input({ limits: { max_cost_usd: cost } }),
      );
      expect(firstCall(budgets.turn, maxOutputTokens) + 0.002).toBeLessThanOrEqual(cost);
      if (maxOutputTokens < 4_000) expect(maxRounds).toBe(1);
      if (maxRounds === 1 && maxOutputTokens < 4_000) expect(budgets.turn).toBe(3_000);
      settings.push(applied.map(({ setting }) => setting));
    }
    const stages = settings.map((each) => each.join(' ')).filter((each, i, all) => each !== all[i - 1]);
    expect(stages).toEqual(['', 'budget', 'budget tool_rounds', 'budget tool_rounds output_tokens']);
  });

  it.each([
    [{ max_input_tokens: 3_000 }, '/limits/max_input_tokens'],
    [{ max_cost_usd: 0.01 }, '/limits/max_cost_usd'],
    [{ max_input_tokens: 9_000, max_cost_usd: 0.000_001 }, '/limits/max_cost_usd'],
  ])('refuses %j, naming the field', (limits, pointer) => {
    const error = failure({ limits });
    expect(error.code).toBe('limits_too_low');
    expect(error.errors?.[0]?.pointer).toBe(pointer);
  });

  it('never cuts a reply below what the model needs to say anything', () => {
    const tight = { max_cost_usd: 0.04 };
    expect(planTurn(input({ limits: tight })).maxOutputTokens).toBeGreaterThan(1_024);
    const thinking = failure({ limits: tight, leastOutputTokens: 3_000 });
    expect(thinking.errors?.[0]?.pointer).toBe('/limits/max_cost_usd');
    // it is never sent more than it is configured for
    const short = { maxOutputTokens: 512, leastOutputTokens: 3_000 };
    expect(planTurn(input({ limits: tight, ...short })).maxOutputTokens).toBe(512);
  });
});

describe('assertPricesKnown', () => {
  const known = { setting: 'MODEL_NAME', id: SONNET, price: () => 1 };
  const unknown = { setting: 'ROUTER_MODEL', id: 'claude-next', price: () => null };

  it('refuses to limit a cost that is not known, naming the model and its setting', () => {
    const refused = () => assertPricesKnown({ max_cost_usd: 100 }, [known, unknown]);
    expect(refused).toThrow(/price of "claude-next" \(ROUTER_MODEL\) is not known/);
    expect(refused).toThrow(
      expect.objectContaining({
        code: 'price_unknown',
        errors: [expect.objectContaining({ pointer: '/limits/max_cost_usd' })],
      }),
    );
  });

  it('has nothing against such models where the cost is not limited, nor against a limit on known ones', () => {
    assertPricesKnown({ max_tool_rounds: 1 }, [unknown]);
    assertPricesKnown({ max_cost_usd: 100 }, [known]);
  });
});

describe('the allowance of a turn', () => {
  const usage = (inputTokens: number, outputTokens: number) => ({
    inputTokens,
    outputTokens,
    cachedTokens: 0,
    cacheWriteTokens: inputTokens,
  });

  it('is the plan where nothing is limited', () => {
    const allowance = createAllowance(planTurn(input()), input(), 8_000);
    expect(allowance.next(1, 0)).toEqual({ final: false, condensed: false, maxOutputTokens: 4_000 });
    expect(allowance.next(3, 50_000)).toEqual({ final: false, condensed: false, maxOutputTokens: 4_000 });
    expect(allowance.next(4, 50_000)).toEqual({ final: true, condensed: false, maxOutputTokens: 4_000 });
    expect(allowance.applied).toEqual([]);
  });

  it('ends the rounds when the prompt has grown over its limit, and sends it without them', () => {
    const given = input({ limits: { max_input_tokens: 6_000 } });
    const allowance = createAllowance(planTurn(given), given, 5_500);
    expect(allowance.next(2, 300)).toMatchObject({ final: false, condensed: false });
    expect(allowance.next(3, 700)).toMatchObject({ final: true, condensed: true });
    expect(allowance.applied).toEqual([
      { limit: 'max_input_tokens', setting: 'tool_rounds', from: 4, to: 3 },
    ]);
  });

  it('affords other calls as long as the closing one can still be paid', () => {
    const price = (usage: { inputTokens: number }): number => usage.inputTokens / 1_000_000;
    const given = input({ limits: { max_cost_usd: 1 }, price });
    const allowance = createAllowance(planTurn(given), given, 99_880);
    const call = { inputTokens: 400_000, outputTokens: 100 };
    expect(allowance.affords([call, call], price, 1)).toBe(true);
    expect(allowance.affords([call, call], price, 1.2)).toBe(false);
    expect(allowance.affords([call, call, call], price, 1)).toBe(false);
    allowance.spend(usage(200_000, 0));
    expect(allowance.affords([call, call], price, 1)).toBe(false);
    expect(allowance.affords([call], () => null, 1)).toBe(false);
    const free = createAllowance(planTurn(input()), input(), 8_000);
    expect(free.affords([call, call, call], price, 2)).toBe(true);
  });

  it('never spends more than the limit, however long the replies are', () => {
    for (let cost = 0.03; cost < 0.5; cost += 0.003) {
      const given = input({ limits: { max_cost_usd: cost } });
      const plan = planTurn(given);
      const prompt = Math.ceil(plan.budgets.turn * 1.2);
      const allowance = createAllowance(plan, given, prompt);
      let spent = given.spentUsd;
      let grown = 0;
      for (let round = 1; ; round++) {
        const terms = allowance.next(round, grown);
        expect(terms.maxOutputTokens).toBeGreaterThanOrEqual(LEAST_OUTPUT);
        const read = terms.condensed ? prompt + 120 : prompt + grown;
        const used = usage(read, terms.maxOutputTokens);
        allowance.spend(used);
        spent += costUsd(SONNET, used) ?? 0;
        grown += terms.maxOutputTokens + 200;
        if (terms.final) break;
      }
      expect(spent).toBeLessThanOrEqual(cost + 1e-9);
    }
  });
});

it('tells a limit that was exceeded after all', () => {
  const limits = { max_input_tokens: 5_000, max_cost_usd: 0.02 };
  expect(exceeded(limits, 0.02, 5_000)).toEqual([]);
  expect(exceeded(limits, 0.03, 5_100)).toEqual([
    { limit: 'max_input_tokens', setting: 'exceeded', from: 5_000, to: 5_100 },
    { limit: 'max_cost_usd', setting: 'exceeded', from: 0.02, to: 0.03 },
  ]);
  expect(exceeded({}, 9, 99_999)).toEqual([]);
});
