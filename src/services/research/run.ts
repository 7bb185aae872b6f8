import type { ResearchRun, RunOutcome } from '../../contract/research.ts';
import { resolveCitations } from '../../copilot/citations.ts';
import { createAllowance, exceeded } from '../../copilot/limits.ts';
import type { AnswerEvent } from '../../copilot/respond.ts';
import { mergeUsage, usageView } from '../../copilot/usage.ts';
import { completeCancelledRun, finishRun } from '../../db/research-runs.ts';
import { isGone } from '../../errors.ts';
import { clarification } from '../../research/ambiguity.ts';
import { researchPrompt } from '../../research/prompt.ts';
import type { Scope } from '../../scope.ts';
import { stateLines } from '../../state/lines.ts';
import type { Control } from '../followed/launcher.ts';
import { Stopped } from '../followed/stopped.ts';
import { requireProject } from '../projects.ts';
import { definitionsOf, toolsOfSources } from './agent-tools.ts';
import { ambiguityIn, answerByAgent } from './answer.ts';
import { type BegunRun, requireRun } from './begin.ts';
import type { LiveRunEvent, ResearchDeps } from './deps.ts';
import { failureOf, runError } from './failures.ts';
import type { RunJournal } from './journal.ts';
import { inSteps, planRun, stepsOf } from './plan.ts';

/** What all steps of a run share. */
export interface RunInProgress extends Control {
  deps: ResearchDeps;
  scope: Scope;
  begun: BegunRun;
  journal: RunJournal;
  emit(event: LiveRunEvent): void;
}

type Found = Pick<RunOutcome, 'answer' | 'citations' | 'candidates' | 'stop_reason'> & {
  status: 'completed' | 'needs_clarification' | 'step_limit_reached';
};

/**
 * Takes a run that has begun to its end; only its signal stops it.
 *
 * @returns the run as it ended, unless it failed
 * @throws AppError what made it fail, with `run_id`; its row says so by then
 */
export async function runResearch(run: RunInProgress): Promise<ResearchRun> {
  const { deps, scope, begun } = run;
  try {
    const found = await answerQuestion(run);
    run.signal.throwIfAborted();
    const ended = await finishRun(deps.db, scope, begun.lease, { ...endOf(run), ...found });
    if (!ended) {
      run.stop('lost');
      throw run.signal.reason;
    }
    run.emit({ type: `run.${found.status}`, data: ended.run });
    return ended.run;
  } catch (error) {
    return await settle(run, error);
  }
}

async function answerQuestion(run: RunInProgress): Promise<Found> {
  const { deps, scope, begun } = run;
  const { options, recorded } = begun;
  const project = await requireProject(deps.db, scope);
  const { question } = recorded;
  const ambiguity = await ambiguityIn(deps.db, scope, { question, ...options });
  if (ambiguity) {
    const { candidates } = ambiguity;
    const answer = clarification(ambiguity);
    return { status: 'needs_clarification', answer, citations: [], candidates, stop_reason: null };
  }
  const known = stateLines(project.state);
  const asked = {
    question,
    projectName: project.name,
    stateLines: known,
    files: options.files,
    maxSteps: stepsOf(deps, options.limits),
  };
  return research(run, researchPrompt(asked), known);
}

async function research(
  run: RunInProgress,
  prompt: ReturnType<typeof researchPrompt>,
  known: string[],
): Promise<Found> {
  const { deps, scope, begun, journal, signal } = run;
  const { options, recorded } = begun;
  const offered = toolsOfSources(deps.tools, options.sources);
  const { plan, planned, tokens, applied } = planRun(deps, prompt, definitionsOf(offered), options.limits);
  journal.limitsApplied = applied;
  const allowance = createAllowance(plan, planned, Math.ceil(tokens * planned.factors.limit));
  const { outcome, shown, leaves } = await answerByAgent({
    deps,
    scope,
    question: recorded.question,
    ...options,
    stateLines: known,
    tools: offered,
    prompt,
    tokens,
    plan,
    allowance,
    signal,
    onSpent: (spent) => deps.queryUsage.add(scope, spent),
    onUsage: journal.spend,
    onEvent: (event) => note(run, event),
    onStep: (step) => journal.steps.push(step),
  });
  journal.limitsApplied.push(...inSteps(allowance.applied));
  const { text, citations } = resolveCitations(outcome.answer, shown, leaves);
  const { status, stopReason } = outcome;
  return { status, answer: text, citations, candidates: [], stop_reason: stopReason };
}

function note(run: RunInProgress, event: AnswerEvent): void {
  const { journal } = run;
  if (event.type === 'answer.reset') journal.partial = '';
  if (event.type === 'answer.delta') {
    journal.firstTokenMs ??= journal.elapsed();
    journal.partial += event.data.text;
  }
  run.emit(event);
}

/** What every end of a run has, whatever it is. */
function endOf({ begun, journal }: RunInProgress): Omit<RunOutcome, 'status'> {
  const spent = usageView(journal.usage);
  const { max_steps: _, ...limits } = begun.options.limits ?? {};
  return {
    answer: null,
    steps: journal.steps,
    citations: [],
    candidates: [],
    limits_applied: [
      ...journal.limitsApplied,
      ...inSteps(exceeded(limits, spent.cost_usd, journal.largestPrompt)),
    ],
    usage: mergeUsage(begun.spentBefore, spent),
    timings_ms: {
      ...(journal.firstTokenMs !== null && { first_token: journal.firstTokenMs }),
      total: journal.elapsed(),
    },
    model: journal.model,
    stop_reason: null,
    error: null,
  };
}

/** Records how a run ended that was not answered. */
async function settle(run: RunInProgress, thrown: unknown): Promise<ResearchRun> {
  const { deps, scope, begun, journal, signal } = run;
  const { runId, attempt } = begun.lease;
  // whatever a stop made the parts throw, its reason is what counts
  const cause: unknown = signal.aborted ? signal.reason : thrown;
  const stopped = cause instanceof Stopped ? cause.reason : null;
  const error = runError(cause);
  error.extra.run_id = runId;
  if (error.code === 'internal_error') deps.log.error({ err: thrown, run: runId }, 'a research run failed');
  const outcome =
    stopped === 'cancelled'
      ? ({ status: 'cancelled', answer: journal.partial.trim() || null } as const)
      : ({ status: 'failed', error: failureOf(error) } as const);
  const ended = await endUnanswered(run, outcome).catch((err: unknown) => {
    // deleted with its project; or the database is away: in that case the lease runs out, and the run can be retried then
    deps.log[isGone(err) ? 'warn' : 'error'](
      { err, run: runId },
      "a research run's end could not be recorded",
    );
    const failed = { status: 'failed', error: failureOf(error) } as const;
    return { ...begun.recorded, ...failed, completed_at: new Date().toISOString() };
  });
  // taken up again elsewhere: what is to be told of it is told there
  if (ended.attempt !== attempt || ended.status === 'in_progress') throw error;
  run.emit({ type: `run.${ended.status}`, data: ended, endedElsewhere: stopped === 'lost' });
  if (ended.status === 'failed') throw error;
  return ended;

  async function endUnanswered(
    { begun: { lease } }: RunInProgress,
    end: Partial<RunOutcome> & { status: 'failed' | 'cancelled' },
  ): Promise<ResearchRun> {
    const known = endOf(run);
    const answer = journal.partial.trim() || null;
    const left =
      (await finishRun(deps.db, scope, lease, { ...known, ...end })) ??
      (await completeCancelledRun(deps.db, scope, lease, { ...known, answer })) ??
      (await requireRun(deps.db, scope, runId));
    return left.run;
  }
}
