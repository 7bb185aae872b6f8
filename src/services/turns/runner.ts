import type { Turn } from '../../contract/turn.ts';
import { prolongLeases, type TurnLease } from '../../db/turns.ts';
import type { Scope } from '../../scope.ts';
import { keyOf } from '../followed/kind.ts';
import { keepLeases } from '../followed/leases.ts';
import { createRunning } from '../followed/running.ts';
import { Stopped } from '../followed/stopped.ts';
import type { BegunTurn } from './begin.ts';
import type { LiveEvent, TurnDeps } from './deps.ts';
import { createJournal } from './journal.ts';
import { runTurn } from './run.ts';
import type { TurnRun } from './turn-run.ts';

/** A turn that was taken on: recorded, and running by itself. */
export interface StartedTurn {
  /** As it was recorded, in progress. */
  turn: Turn;
  /** The turn when it has ended. Rejects with an AppError, which has `turn_number`, when it fails. */
  done: Promise<Turn>;
}

/** How soon a turn that is cancelled through another instance stops, at the latest. */
const WATCH_MS = 500;
/** Looks at each lease within its length, at least. */
const LOOKS_A_LEASE = 3;

/** The turns that run in this process. */
export function createTurnRunner(deps: TurnDeps) {
  const { db, options, log } = deps;
  const running = createRunning<Turn>();
  const leases = keepLeases({
    prolong: (held: readonly (TurnLease & { scope: Scope })[], share) => prolongLeases(db, held, share),
    everyMs: Math.min(options.watchMs ?? WATCH_MS, (options.leaseSeconds * 1_000) / LOOKS_A_LEASE),
    onError: (err) => log.warn({ err }, 'the leases of turns could not be prolonged'),
  });

  return {
    /** Runs a turn that has begun. It hangs on no socket: it ends by itself, or is stopped here. */
    launch(scope: Scope, turn: BegunTurn): StartedTurn {
      const controller = new AbortController();
      const run: TurnRun = {
        deps,
        scope,
        turn,
        journal: createJournal(),
        signal: controller.signal,
        emit: (event) => tell(deps, scope, turn.turnNumber, event),
        stop: (reason) => controller.abort(new Stopped(reason)),
      };
      run.emit({ type: 'turn.created', data: turn.recorded });
      const release = leases.hold({ ...turn.lease, scope }, () => run.stop('lost'));
      const deadline = setTimeout(() => run.stop('deadline'), options.turnTimeoutMs);
      const done = runTurn(run).finally(() => {
        clearTimeout(deadline);
        release();
      });
      running.add(keyOf(scope, turn.turnNumber), { stop: run.stop, done });
      done.catch(() => undefined); // told by the turn's row; nobody has to wait here
      return { turn: turn.recorded, done };
    },

    /** A turn that runs here. */
    find: (scope: Scope, turnNumber: number) => running.get(keyOf(scope, turnNumber)),

    admit: running.admit,
    stop: running.stop,
  };
}

function tell({ onEvent, log }: TurnDeps, scope: Scope, turnNumber: number, event: LiveEvent): void {
  try {
    onEvent?.(scope, turnNumber, event);
  } catch (err) {
    // whoever listens cannot stop the turn
    log.warn({ err, turn: turnNumber }, 'a listener of a turn failed');
  }
}

export type TurnRunner = ReturnType<typeof createTurnRunner>;
