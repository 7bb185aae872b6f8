import type { ResearchLimits, RunOutcome } from '../../contract/research.ts';
import {
  assertPricesKnown,
  type PlanInput,
  type PriceOf,
  planTurn,
  type TurnPlan,
} from '../../copilot/limits.ts';
import { budgetFactor, limitFactor } from '../../copilot/token-calibration.ts';
import type { Message, SystemBlock, ToolDefinition } from '../../llm/model.ts';
import { contextWindowOf, leastOutput } from '../../llm/models.ts';
import { costUsd } from '../../llm/pricing.ts';
import { countTokens } from '../../text/tokens.ts';
import type { ResearchDeps } from './deps.ts';

/** Tokens that the provider's format adds to a request, on the safe side. */
const FRAMING = 60;

export interface RunPlan {
  plan: TurnPlan;
  planned: PlanInput;
  /** Of the first prompt, as counted here. */
  tokens: number;
  /** What the limits changed already. */
  applied: RunOutcome['limits_applied'];
}

/** What the calls of a model cost at list price. */
export const priceOf =
  (model: string): PriceOf =>
  (usage) =>
    costUsd(model, usage);

/** Calls of the large model that a run may make. */
export const stepsOf = ({ options }: ResearchDeps, limits: ResearchLimits | undefined): number =>
  Math.min(options.maxSteps, limits?.max_steps ?? options.maxSteps);

/**
 * Plans a run within its limits, as a turn is planned: its steps are rounds of calls.
 *
 * @throws AppError `limits_too_low`, `price_unknown`
 */
export function planRun(
  deps: ResearchDeps,
  prompt: { system: readonly SystemBlock[]; messages: readonly Message[] },
  definitions: readonly ToolDefinition[],
  limits: ResearchLimits = {},
): RunPlan {
  const { options, models, calibrator } = deps;
  const { max_steps: steps, ...others } = limits;
  const tokens = countTokens(JSON.stringify([prompt, definitions])) + FRAMING;
  const calibration = calibrator.of(models.answer.id);
  const price = priceOf(models.answer.id);
  assertPricesKnown(limits, [
    { setting: 'MODEL_NAME', id: models.answer.id, price },
    { setting: 'TURN_SUMMARY_MODEL', id: models.summary.id, price: priceOf(models.summary.id) },
  ]);
  const planned: PlanInput = {
    budgets: { turn: options.tokenBudget, filler: options.tokenBudget },
    contextWindow: contextWindowOf(models.answer.id),
    maxRounds: options.maxSteps,
    maxOutputTokens: options.maxOutputTokens,
    leastOutputTokens: leastOutput(models.answer.id),
    limits: { ...others, ...(steps !== undefined && { max_tool_rounds: steps }) },
    price,
    spentUsd: 0,
    bareTokens: tokens,
    factors: { budget: budgetFactor(calibration), limit: limitFactor(calibration) },
    asked: { one: 'A run for this question', text: 'question' },
  };
  const plan = planTurn(planned);
  return { plan, planned, tokens, applied: inSteps(plan.applied) };
}

/** What limits changed, in the words of a run. */
export const inSteps = (applied: TurnPlan['applied']): RunOutcome['limits_applied'] =>
  applied.map(({ limit, ...change }) => ({
    ...change,
    limit: limit === 'max_tool_rounds' ? 'max_steps' : limit,
  }));
