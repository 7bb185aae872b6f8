import type { TurnLimits } from '../../contract/limits.ts';
import { bareTokens } from '../../copilot/assemble.ts';
import {
  assertPricesKnown,
  type PlanInput,
  type PriceOf,
  planTurn,
  type TurnPlan,
  worstCase,
} from '../../copilot/limits.ts';
import { routeOutput } from '../../copilot/route.ts';
import { budgetFactor, limitFactor } from '../../copilot/token-calibration.ts';
import { STATE_TOOL_DEFINITIONS } from '../../copilot/tools.ts';
import { contextWindowOf, leastOutput } from '../../llm/models.ts';
import { costUsd } from '../../llm/pricing.ts';
import type { TurnDeps } from './deps.ts';

/** What a turn is planned from. */
interface Planned {
  message: string;
  priming: boolean;
  limits?: TurnLimits | undefined;
}

const priceOf =
  (model: string): PriceOf =>
  (usage) =>
    costUsd(model, usage);

/**
 * What the plan of a turn is made of, so much having been paid for it.
 *
 * @throws AppError `price_unknown`
 */
export function planInput(deps: TurnDeps, request: Planned, spentUsd: number): PlanInput {
  const { options, knowledge, models, embeddingModel, calibrator } = deps;
  const calibration = calibrator.of(models.answer.id);
  const limits = request.limits ?? {};
  const called = {
    MODEL_NAME: models.answer.id,
    ...(!request.priming && { ROUTER_MODEL: models.router.id }),
    ...(!request.priming && embeddingModel.provider !== 'local' && { EMBEDDING_MODEL: embeddingModel.id }),
  };
  assertPricesKnown(
    limits,
    Object.entries(called).map(([setting, id]) => ({ setting, id, price: priceOf(id) })),
  );
  return {
    budgets: options.budgets,
    contextWindow: contextWindowOf(models.answer.id),
    maxRounds: options.maxToolRounds,
    maxOutputTokens: options.maxOutputTokens,
    leastOutputTokens: leastOutput(models.answer.id),
    limits,
    price: priceOf(models.answer.id),
    spentUsd,
    bareTokens: bareTokens(request.message, { knowledge, tools: STATE_TOOL_DEFINITIONS }),
    factors: { budget: budgetFactor(calibration), limit: limitFactor(calibration) },
  };
}

/**
 * Refuses limits that not even the least turn fits, before anything is recorded or spent: what passes here is answered.
 *
 * @throws AppError `limits_too_low`, `price_unknown`
 */
export function assertLimitsFit(deps: TurnDeps, request: Planned): TurnPlan {
  const { models, calibrator, options } = deps;
  const router = models.router.id;
  const prompt = options.budgets.router * limitFactor(calibrator.of(router));
  const routing = worstCase(priceOf(router), prompt, routeOutput(router));
  return planTurn(planInput(deps, request, request.priming ? 0 : routing));
}
