import type { AppliedLimit } from '../../contract/limits.ts';
import type { Routing } from '../../contract/routing.ts';
import { DEFAULT_SOURCES } from '../../contract/source.ts';
import type { ProjectState } from '../../contract/state.ts';
import { type Assembled, type AssembleInput, withResearchTask } from '../../copilot/assemble.ts';
import { asksBroadly } from '../../copilot/broad-question.ts';
import { type Allowance, createAllowance, planTurn, type TurnPlan } from '../../copilot/limits.ts';
import { routeMessage } from '../../copilot/route.ts';
import { tokenFactor } from '../../copilot/token-calibration.ts';
import { usageView } from '../../copilot/usage.ts';
import { researchTurnTask } from '../../research/prompt.ts';
import { definitionsOf, toolsOfSources } from '../research/agent-tools.ts';
import { assembleBroadly } from './broaden.ts';
import { choosePassages } from './choose-passages.ts';
import { isRouted, planInput } from './plan.ts';
import { createRetrieval, type Retrieved } from './retrieve.ts';
import { routedState } from './routed-state.ts';
import { watchSpeculation } from './speculation.ts';
import { takeStep } from './step.ts';
import type { Preparation } from './turn-run.ts';
import { toolsFor } from './turn-tools.ts';

/** What a turn is about, and what was looked up for it: null where there is nothing of it. */
interface Found {
  decision: Routing | null;
  retrieved: Retrieved | null;
}

/** What Phase B starts from. */
export interface Prepared {
  assembled: Assembled;
  input: AssembleInput;
  /** The project's state with this turn's routing in it. */
  state: ProjectState;
  plan: TurnPlan;
  /** What each call to the large model may be. */
  allowance: Allowance;
}

/**
 * Everything before the large model: routing and retrieval side by side, then the prompt. What happens is noted in the
 * journal as it happens.
 *
 * @throws AppError `message_too_large`, `state_too_large`, `limits_too_low`
 */
export async function prepare(preparation: Preparation): Promise<Prepared> {
  const { deps, turn, journal } = preparation;
  const found = isRouted(turn) ? await routeAndRetrieve(preparation) : { decision: null, retrieved: null };
  const { input, assembled, plan, planned } = await takeStep(journal, 'assemble', () =>
    assemble(preparation, found),
  );
  journal.assembled = assembled;
  journal.tokenFactor = tokenFactor(deps.calibrator.of(deps.models.answer.id));
  journal.limitsApplied = [...plan.applied, ...leftOut(plan, input, assembled)];
  const allowance = createAllowance(plan, planned, Math.ceil(assembled.tokens * planned.factors.limit));
  return { assembled, input, state: routedState(turn.project.state, found.decision), plan, allowance };
}

/** The prompt, from what was found for it. */
async function assemble(preparation: Preparation, { decision, retrieved }: Found) {
  const { deps, turn, journal } = preparation;
  const meant = decision?.relevant_files ?? [];
  const chosen =
    retrieved &&
    choosePassages(retrieved, {
      files: meant,
      // what is asked of one file is in that file
      isBroad: meant.length !== 1 && asksBroadly(turn.message),
      summaries: turn.project.state.file_summaries,
      limit: deps.options.maxDocumentResults,
    });
  journal.chosen = chosen;
  const planned = planInput(deps, turn, usageView(journal.usage).cost_usd ?? 0);
  const plan = planTurn(planned);
  const wanted: AssembleInput = {
    projectName: turn.project.name,
    state: turn.research ? withoutProbe(turn.project.state) : turn.project.state,
    message: turn.message,
    priming: turn.priming,
    decision,
    knowledge: deps.knowledge,
    tools: turn.research
      ? definitionsOf(toolsOfSources(deps.tools.research, turn.sources ?? DEFAULT_SOURCES))
      : toolsFor(deps.tools, turn, { knowledge: deps.knowledge, budget: plan.budgets.turn }),
    passages: chosen?.passages ?? [],
    coverage: chosen,
    alsoIn: chosen?.alsoIn,
    recalled: retrieved?.recalled ?? [],
    recent: turn.recent,
    budgets: plan.budgets,
  };
  const { input, assembled: fitted } = await assembleBroadly(preparation, wanted, chosen?.further ?? []);
  const assembled = turn.research ? withResearchTask(fitted, researchTurnTask(plan.maxRounds)) : fitted;
  return { input, assembled, plan, planned };
}

/** Research follows no line of questioning: the active one is not sent. */
const withoutProbe = (state: ProjectState): ProjectState => ({
  ...state,
  routing: { ...state.routing, active_probe: null },
});

/** What a budget that a limit made smaller left out of what was found. */
function leftOut(plan: TurnPlan, input: AssembleInput, assembled: Assembled): AppliedLimit[] {
  const limit = plan.applied.find(({ setting }) => setting === 'budget')?.limit;
  if (limit === undefined) return [];
  const counts = [
    { setting: 'documents', from: input.passages.length, to: assembled.passages.length },
    { setting: 'recalled_turns', from: input.recalled.length, to: assembled.recalled.length },
  ] as const;
  return counts.filter(({ from, to }) => to < from).map((count) => ({ limit, ...count }));
}

async function routeAndRetrieve(
  preparation: Preparation,
): Promise<{ decision: Routing; retrieved: Retrieved | null }> {
  const { deps, turn, journal, signal } = preparation;
  const { state } = turn.project;
  const previousProbe = state.routing.active_probe;
  const retrieval = turn.retrieval === 'never' ? null : createRetrieval(preparation);
  // thrown away if the router finds that nothing needs to be looked up
  const early = retrieval?.search(previousProbe);
  const speculation = early === undefined ? null : watchSpeculation(early, previousProbe, journal.elapsed);
  journal.speculation = speculation;

  const { message, recent } = turn;
  const budget = deps.options.budgets.router;
  const routed = await takeStep(journal, 'route', () =>
    routeMessage(
      deps.models.router,
      { message, state, knowledge: deps.knowledge, recent, budget },
      {
        retrieval: turn.retrieval,
        timeoutMs: deps.options.routeTimeoutMs,
        signal,
        onLost: (usage, model) => journal.spend('route', usage, model),
      },
    ),
  );
  const { decision } = routed;
  journal.decision = decision;
  journal.models.router = routed.model;
  if (routed.usage) journal.spend('route', routed.usage, routed.model);
  const isSameProbe = decision.next_probe === previousProbe;
  speculation?.routed(!decision.requires_retrieval ? 'not_needed' : isSameProbe ? 'used' : 'other_probe');
  const overlap = speculation?.view()?.overlap_ms;
  if (overlap !== undefined) journal.time('overlap', overlap);
  preparation.emit({ type: 'route.decided', data: decision });
  if (!decision.requires_retrieval || !retrieval || !early) return { decision, retrieved: null };

  const searched = await (isSameProbe ? early : retrieval.search(decision.next_probe));
  const retrieved = await retrieval.order(searched);
  journal.strategies = retrieved.strategies;
  journal.rerank = retrieved.rerank;
  journal.time('embed', retrieval.embedMs());
  journal.time('retrieve', searched.searchMs);
  if (retrieved.rerankMs !== null) journal.time('rerank', retrieved.rerankMs);
  return { decision, retrieved };
}
