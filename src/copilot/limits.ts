import type { AppliedLimit, TurnLimits } from '../contract/limits.ts';
import { AppError, wrongField } from '../errors.ts';
import type { TokenUsage } from '../llm/model.ts';
import type { Budgets } from './assemble.ts';

/*
 * A caller's limits on one turn. What does not fit them is cut in this order, each step no further than needed:
 *
 *  1. the prompt's budget; within it the assembler leaves out documents and earlier turns (its own order, in
 *     `budget.ts`), and the assumption register last of all
 *  2. rounds of tool calls
 *  3. the length of the reply
 *  4. the model's summary of the turn: an extract takes its place
 *
 * Before each call the worst case is reckoned with: the whole input written to the provider's cache, which costs most,
 * and a reply of full length. A call goes on to another round only while the closing call can still be paid for, so
 * that a turn which has begun is always answered.
 */

/** Tokens of the note that stands for the rounds before, when these cannot be sent again. */
const CLOSING_NOTE = 120;

/** What the calls of a model cost at list price; null when that is not known. */
export type PriceOf = (usage: Pick<TokenUsage, 'inputTokens'> & Partial<TokenUsage>) => number | null;

export interface PlanInput {
  /** As configured; in the provider's tokens. */
  budgets: Budgets;
  /** Tokens of prompt and reply together that the model takes. */
  contextWindow: number;
  maxRounds: number;
  maxOutputTokens: number;
  /** What one reply needs at least to say anything, thoughts included. */
  leastOutputTokens: number;
  limits: TurnLimits;
  /** Of a model whose price is known, where the cost is limited: see `assertPricesKnown`. */
  price: PriceOf;
  /** Paid already in this turn, in USD. */
  spentUsd: number;
  /** Tokens, as counted here, of what cannot be left out of the prompt. */
  bareTokens: number;
  /** Tokens of the provider for one counted here: in budgets, and in limits. */
  factors: { budget: number; limit: number };
  /** How a refusal speaks of what is planned, and of what can be made shorter; a turn and its message as a rule. */
  asked?: { one: string; text: string };
}

const TURN = { one: 'A turn with this message', text: 'message' };

/**
 * Refuses a limit on the cost of calls whose price is not known, rather than not to keep it.
 *
 * @throws AppError `price_unknown`, naming the model and the setting that it comes from
 */
export function assertPricesKnown(
  { max_cost_usd: limit }: TurnLimits,
  models: readonly { setting: string; id: string; price: PriceOf }[],
): void {
  if (limit === undefined) return;
  const unknown = models.filter(({ price }) => price({ inputTokens: 1 }) === null);
  if (unknown.length === 0) return;
  const names = unknown.map(({ setting, id }) => `"${id}" (${setting})`).join(' and ');
  const detail = `The cost of a turn cannot be limited: the price of ${names} is not known. Leave \`limits.max_cost_usd\` out; \`max_input_tokens\` and \`max_tool_rounds\` can be kept.`;
  throw wrongField('price_unknown', { pointer: '/limits/max_cost_usd', detail, code: 'price_unknown' });
}

/** What a turn may have: its budgets in tokens as counted here. */
export interface TurnPlan {
  budgets: Budgets;
  maxRounds: number;
  maxOutputTokens: number;
  applied: AppliedLimit[];
}

/**
 * Plans a turn within its limits.
 *
 * @throws AppError `limits_too_low`, naming the limit that not even the least turn fits
 */
export function planTurn(input: PlanInput): TurnPlan {
  const { limits, factors, bareTokens } = input;
  const applied: AppliedLimit[] = [];
  // what was taken on under the configured budget is not refused under the corrected one
  let turn = Math.max(bareTokens, Math.floor(input.budgets.turn / factors.budget));
  const window = Math.max(
    bareTokens,
    Math.floor((input.contextWindow - input.maxOutputTokens) / factors.limit),
  );
  let limit = window;
  const maxRounds = Math.min(input.maxRounds, limits.max_tool_rounds ?? input.maxRounds);
  if (maxRounds < input.maxRounds) {
    applied.push({ limit: 'max_tool_rounds', setting: 'tool_rounds', from: input.maxRounds, to: maxRounds });
  }
  if (limits.max_input_tokens !== undefined) {
    const allowed = Math.floor(limits.max_input_tokens / factors.limit) - CLOSING_NOTE;
    if (allowed < bareTokens) {
      const least = Math.ceil((bareTokens + CLOSING_NOTE) * factors.limit);
      throw tooLow('max_input_tokens', (one) => `${one} needs ${least} input tokens at least.`, input.asked);
    }
    limit = Math.min(limit, allowed);
    if (allowed < turn) {
      applied.push({ limit: 'max_input_tokens', setting: 'budget', from: turn, to: allowed });
      turn = allowed;
    }
  }
  const paid = withinCost(input, limit, maxRounds);
  if (paid.turn < turn) {
    applied.push({ limit: 'max_cost_usd', setting: 'budget', from: turn, to: paid.turn });
    turn = paid.turn;
  }
  if (paid.rounds < maxRounds) {
    applied.push({ limit: 'max_cost_usd', setting: 'tool_rounds', from: maxRounds, to: paid.rounds });
  }
  if (paid.output < input.maxOutputTokens) {
    applied.push({
      limit: 'max_cost_usd',
      setting: 'output_tokens',
      from: input.maxOutputTokens,
      to: paid.output,
    });
  }
  const filler = Math.min(Math.floor(input.budgets.filler / factors.budget), turn);
  const budgets = { turn, filler, window, ...(paid.turn < window && { limit: paid.turn }) };
  return { budgets, maxRounds: paid.rounds, maxOutputTokens: paid.output, applied };
}

function withinCost(
  input: PlanInput,
  most: number,
  rounds: number,
): { turn: number; rounds: number; output: number } {
  const { limits, factors, maxOutputTokens: output } = input;
  const shortest = Math.min(input.leastOutputTokens, output);
  if (limits.max_cost_usd === undefined) return { turn: most, rounds, output };
  const room = limits.max_cost_usd - input.spentUsd;
  const costOf = (tokens: number, written: number): number =>
    worstCase(input.price, tokens * factors.limit, written);
  const least = costOf(input.bareTokens, shortest);
  if (least > room) {
    const needed = (least + input.spentUsd).toFixed(4);
    throw tooLow('max_cost_usd', (one) => `${one} can cost ${needed} USD at least.`, input.asked);
  }
  const closing = (tokens: number): number => costOf(tokens + CLOSING_NOTE, shortest);
  const several = (tokens: number): boolean => costOf(tokens, output) + closing(tokens) <= room;
  if (rounds > 1 && several(input.bareTokens)) {
    return { turn: largest(input.bareTokens, most, several), rounds, output };
  }
  const single = (tokens: number): boolean => costOf(tokens, output) <= room;
  if (single(input.bareTokens)) return { turn: largest(input.bareTokens, most, single), rounds: 1, output };
  const shorter = (written: number): boolean => costOf(input.bareTokens, written) <= room;
  return { turn: input.bareTokens, rounds: 1, output: largest(shortest, output, shorter) };
}

/** The largest whole number from `low` on that fits, given that `low` does. */
function largest(low: number, high: number, fits: (value: number) => boolean): number {
  let [from, to] = [low, Math.max(low, high)];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (fits(middle)) from = middle;
    else to = middle - 1;
  }
  return from;
}

/** What a call can cost at most, in USD; NaN when its price is not known. */
export function worstCase(price: PriceOf, inputTokens: number, outputTokens: number): number {
  const read = Math.ceil(inputTokens);
  return price({ inputTokens: read, cacheWriteTokens: read, outputTokens }) ?? Number.NaN;
}

function tooLow(limit: keyof TurnLimits, say: (one: string) => string, { one, text } = TURN): AppError {
  const detail = say(one);
  return new AppError('limits_too_low', {
    detail: `${detail} Raise \`limits.${limit}\`, or shorten the ${text}.`,
    errors: [{ pointer: `/limits/${limit}`, detail, code: 'too_small' }],
  });
}

/** The limits that a turn went beyond in spite of everything, because its provider counted more than was foreseen. */
export function exceeded(limits: TurnLimits, costUsd: number | null, largestPrompt: number): AppliedLimit[] {
  const actual = { max_input_tokens: largestPrompt, max_cost_usd: costUsd ?? 0 };
  return (['max_input_tokens', 'max_cost_usd'] as const).flatMap((limit): AppliedLimit[] => {
    const [from, to] = [limits[limit] ?? Number.POSITIVE_INFINITY, actual[limit]];
    return to > from ? [{ limit, setting: 'exceeded', from, to }] : [];
  });
}

/** What the next call to the large model may be. */
export interface CallTerms {
  /** It may not call tools: the turn ends with it. */
  final: boolean;
  /** The rounds before are not sent again; a note stands for them. */
  condensed: boolean;
  maxOutputTokens: number;
}

/** A call before it is made: its tokens as counted here, and those that it may write. */
export interface PlannedCall {
  inputTokens: number;
  outputTokens: number;
}

/** Whether all of these calls of another model may be made. */
export type MayCall = (calls: readonly PlannedCall[]) => boolean;

/** Watches over the calls of one turn. */
export interface Allowance {
  /**
   * @param round from 1
   * @param grown tokens that the rounds before have added to the prompt
   */
  next(round: number, grown: number): CallTerms;
  /** @param by the price of another model than the one that is planned for */
  spend(usage: TokenUsage, by?: PriceOf): void;
  /**
   * Whether calls that lie between those of the turn leave enough for the one that ends it.
   *
   * @param factor tokens of the provider for one counted here
   */
  affords(calls: readonly PlannedCall[], by: PriceOf, factor: number): boolean;
  /** What was cut while the calls were made; to be added to the plan's. */
  readonly applied: AppliedLimit[];
}

export function createAllowance(
  plan: TurnPlan,
  input: Pick<PlanInput, 'limits' | 'price' | 'spentUsd' | 'leastOutputTokens'>,
  /** Of the first prompt, in the provider's tokens, on the safe side. */
  promptTokens: number,
): Allowance {
  const { limits, price, leastOutputTokens } = input;
  const applied: AppliedLimit[] = [];
  let spentUsd = input.spentUsd;
  const note = (limit: AppliedLimit): void => {
    const known = applied.find((one) => one.limit === limit.limit && one.setting === limit.setting);
    if (known) known.to = limit.to;
    else applied.push(limit);
  };

  return {
    applied,
    spend(usage, by = price) {
      spentUsd += by(usage) ?? 0;
    },
    affords(calls, by, factor) {
      if (limits.max_cost_usd === undefined) return true;
      const closing = worstCase(price, promptTokens + CLOSING_NOTE, leastOutputTokens);
      const costs = calls.map((call) => worstCase(by, call.inputTokens * factor, call.outputTokens));
      return costs.reduce((sum, cost) => sum + cost, spentUsd + closing) <= limits.max_cost_usd;
    },
    next(round, grown) {
      const terms: CallTerms = {
        final: round >= plan.maxRounds,
        condensed: false,
        maxOutputTokens: plan.maxOutputTokens,
      };
      if (round === 1) return terms;
      const { maxOutputTokens: longest, maxRounds } = plan;
      const whole = promptTokens + grown;
      const condensed = promptTokens + CLOSING_NOTE;
      const endNow = (limit: AppliedLimit['limit']): void => {
        if (!terms.final) note({ limit, setting: 'tool_rounds', from: maxRounds, to: round });
        terms.final = true;
      };
      if (limits.max_input_tokens !== undefined && whole > limits.max_input_tokens) {
        endNow('max_input_tokens');
        terms.condensed = true;
      }
      if (limits.max_cost_usd === undefined) return terms;
      const room = limits.max_cost_usd - spentUsd;
      const closing = worstCase(price, condensed, Math.min(leastOutputTokens, longest));
      if (worstCase(price, whole, longest) + closing > room) endNow('max_cost_usd');
      if (!terms.condensed && worstCase(price, whole, longest) > room) terms.condensed = true;
      if (!terms.condensed) return terms;
      const fits = (written: number): boolean => worstCase(price, condensed, written) <= room;
      terms.maxOutputTokens = largest(Math.min(leastOutputTokens, longest), longest, fits);
      if (terms.maxOutputTokens < longest) {
        const to = terms.maxOutputTokens;
        note({ limit: 'max_cost_usd', setting: 'output_tokens', from: longest, to });
      }
      return terms;
    },
  };
}
