import type { DryRun } from '../../contract/receipt.ts';
import { findPosition } from '../../db/turn-window.ts';
import { costUsd } from '../../llm/pricing.ts';
import type { Scope } from '../../scope.ts';
import { requireProject } from '../projects.ts';
import type { TurnRequest } from './begin.ts';
import type { TurnDeps } from './deps.ts';
import { createJournal } from './journal.ts';
import { prepare } from './prepare.ts';

/**
 * Does everything that a turn does before the large model is called, and stops: nothing is stored. The router is asked,
 * because what is sent depends on it.
 *
 * @throws AppError `project_not_found`, `message_too_large`, `state_too_large`
 */
export async function dryRunTurn(
  deps: TurnDeps,
  scope: Scope,
  request: TurnRequest,
  signal: AbortSignal,
): Promise<DryRun> {
  const { db, options } = deps;
  const project = await requireProject(db, scope);
  const { next: turnNumber, recent } = await findPosition(db, scope, options.window);
  const journal = createJournal();
  const turn = { ...request, turnNumber, project, recent };
  const { assembled, plan } = await prepare({ deps, scope, turn, journal, signal, emit: () => undefined });
  journal.time('total', journal.elapsed());
  const receipt = journal.receipt(turnNumber, deps.embeddingModel.id);
  if (!receipt) throw new Error('a prepared turn has a receipt');
  const model = deps.models.answer.id;
  const inputTokens = Math.ceil(assembled.tokens * journal.tokenFactor);
  const cost = (outputTokens: number): number | null => costUsd(model, { inputTokens, outputTokens });
  return {
    ...receipt,
    dry_run: true,
    prediction: {
      model,
      input_tokens: inputTokens,
      max_output_tokens: plan.maxOutputTokens,
      min_cost_usd: cost(0),
      max_cost_usd: cost(plan.maxOutputTokens),
    },
  };
}
