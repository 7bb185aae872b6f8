import type { TurnLimits } from '../../contract/limits.ts';
import { bareTokens } from '../../copilot/assemble.ts';
import {
  assertPricesKnown,
  type PlanInput,
  planTurn,
  type TurnPlan,
  worstCase,
} from '../../copilot/limits.ts';
import { routeOutput } from '../../copilot/route.ts';
import { budgetFactor, limitFactor } from '../../copilot/token-calibration.ts';
import { STATE_TOOL_DEFINITIONS } from '../../copilot/tools.ts';
import { makesVectors } from '../../embeddings/off.ts';
import { contextWindowOf, leastOutput } from '../../llm/models.ts';
import { priceOf } from '../research/plan.ts';
import type { TurnDeps } from './deps.ts';

/** What a turn is planned from. */
interface Planned {
  message: string;
  priming: boolean;
  research?: boolean | undefined;
  limits?: TurnLimits | undefined;
}

/** Neither the opening of a project nor research needs a line of questioning. */
export const isRouted = ({ priming, research }: Pick<Planned, 'priming' | 'research'>): boolean =>
  !priming && !research;

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
    ...(isRouted(request) && { ROUTER_MODEL: models.router.id }),
    ...(!request.priming &&
      makesVectors(embeddingModel) &&
      embeddingModel.provider !== 'local' && { EMBEDDING_MODEL: embeddingModel.id }),
  };
  assertPricesKnown(
    limits,
    Object.entries(called).map(([setting, id]) => ({ setting, id, price: priceOf(id) })),
  );
  return {
    ...(request.research
      ? {
          budgets: { turn: options.research.tokenBudget, filler: options.research.tokenBudget },
          maxRounds: options.research.maxSteps,
        }
      : { budgets: options.budgets, maxRounds: options.maxToolRounds }),
    contextWindow: contextWindowOf(models.answer.id),
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
  return planTurn(planInput(deps, request, isRouted(request) ? routing : 0));
}
