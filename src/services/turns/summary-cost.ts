import type { AppliedLimit } from '../../contract/limits.ts';
import { limitFactor } from '../../copilot/token-calibration.ts';
import { mergeUsage, type PhaseUsage, usageView } from '../../copilot/usage.ts';
import type { Queryable } from '../../db/database.ts';
import { addAppliedLimit } from '../../db/turn-end.ts';
import type { StoredTurn } from '../../db/turn-record.ts';
import { type LockedTurn, setTurnUsage } from '../../db/turn-summaries.ts';
import { costUsd } from '../../llm/pricing.ts';
import type { Scope } from '../../scope.ts';
import type { TurnDeps } from './deps.ts';

/** One call less: an extract stands in for the model's summary. */
const NO_SUMMARY_CALL: AppliedLimit = { limit: 'max_cost_usd', setting: 'summary', from: 1, to: 0 };

/** What came of a call for a summary, or of none. */
export interface SummaryCost {
  /** Undefined: there was no call. */
  spent: PhaseUsage | undefined;
  /** There was none because the turn may not cost as much. */
  tooDear: boolean;
}

/**
 * Whether what a turn was allowed to cost leaves enough for a call of the small model.
 *
 * @param call.inputTokens of the request, in our own tokens
 * @param call.outputTokens the most that it can be, in the model's own
 */
export function isAffordable(
  { models, calibrator }: TurnDeps,
  { turn, options }: StoredTurn,
  call: { inputTokens: number; outputTokens: number },
): boolean {
  const limit = options.limits?.max_cost_usd;
  if (limit === undefined) return true;
  const model = models.summary.id;
  const inputTokens = call.inputTokens * limitFactor(calibrator.of(model));
  const cost = costUsd(model, { inputTokens, outputTokens: call.outputTokens });
  return cost !== null && (turn.usage?.cost_usd ?? 0) + cost <= limit;
}

/** Adds a summary's cost to the turn that pays for it, whose row is held. */
export async function bookSummary(
  tx: Queryable,
  scope: Scope,
  turnNumber: number,
  row: LockedTurn,
  { spent, tooDear }: SummaryCost,
): Promise<void> {
  const isNoted = row.limits_applied.some(({ setting }) => setting === NO_SUMMARY_CALL.setting);
  if (tooDear && !isNoted) await addAppliedLimit(tx, scope, turnNumber, NO_SUMMARY_CALL);
  const usage = usageView(spent ? { summary: spent } : {});
  await setTurnUsage(tx, scope, turnNumber, mergeUsage(row.usage, usage));
}
