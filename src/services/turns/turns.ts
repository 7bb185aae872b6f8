import type { DryRun } from '../../contract/receipt.ts';
import type { Turn } from '../../contract/turn.ts';
import type { JobHandler } from '../../jobs/run-job.ts';
import type { Scope } from '../../scope.ts';
import { requireProject } from '../projects.ts';
import { requireTurn, type TurnRequest } from './begin.ts';
import type { TurnDeps } from './deps.ts';
import { dryRunTurn } from './dry-run.ts';
import { endForeignTurn } from './finish.ts';
import { createTurnReader } from './read.ts';
import { createTurnRunner } from './runner.ts';
import { checkedRequest, createTurnStarter } from './start.ts';
import { rememberTurn } from './summarise-job.ts';
import { embedProbes } from './warm-up.ts';

/** The use cases of turns. */
export function createTurnService(deps: TurnDeps) {
  const runner = createTurnRunner(deps);
  const { getTurn, listTurns, getContext } = createTurnReader(deps);

  return {
    ...createTurnStarter(deps, runner),
    getTurn,
    listTurns,
    getContext,

    /** What a turn would send and cost. Nothing is stored, and the large model is not called. */
    async dryRun(scope: Scope, request: TurnRequest, signal?: AbortSignal): Promise<DryRun> {
      return dryRunTurn(deps, scope, checkedRequest(deps, request), signal ?? new AbortController().signal);
    },

    /**
     * Stops a turn, wherever it runs; what it had said by then is kept. A turn that has ended stays as it is.
     *
     * @throws AppError `project_not_found`, `turn_not_found`
     */
    async cancelTurn(scope: Scope, turnNumber: number): Promise<Turn> {
      const here = runner.find(scope, turnNumber);
      if (here) {
        // nothing is asked of the database first: the turn would run on meanwhile
        here.stop('cancelled');
        await here.done.catch(() => undefined);
      } else {
        // its worker finds out when it looks next
        const end = { status: 'cancelled', error: null, abandonedOnly: false } as const;
        await requireProject(deps.db, scope);
        await requireTurn(deps.db, scope, turnNumber);
        await endForeignTurn(deps, scope, turnNumber, end);
      }
      return (await requireTurn(deps.db, scope, turnNumber)).turn;
    },

    /** The job that remembers a turn: makes it findable, and keeps the summary of the conversation. */
    summariseHandler: {
      run: (job, signal) => rememberTurn(deps, job, Number(job.subject), signal),
      async giveUp(job, err) {
        deps.log.error({ err, turn: job.subject }, 'a turn has no vector: it is found by its words only');
      },
    } satisfies JobHandler,

    /** Embeds the probes' texts ahead of the first turn. */
    warmUp: (signal: AbortSignal) => embedProbes(deps, signal),

    /**
     * Begins no turn any more, lets those that run end by themselves for `graceMs`, then interrupts them; they can be
     * retried.
     */
    stop: runner.stop,
  };
}

export type TurnService = ReturnType<typeof createTurnService>;
