import type { Turn } from '../../contract/turn.ts';
import { forSystem } from '../../db/bound-database.ts';
import { patientDatabase } from '../../db/patience.ts';
import { prolongLeases, type TurnLease } from '../../db/turns.ts';
import type { Scope } from '../../scope.ts';
import { withSpan } from '../../telemetry/tracing/span.ts';
import { keyOf } from '../followed/kind.ts';
import { createLauncher } from '../followed/launcher.ts';
import type { BegunTurn } from './begin.ts';
import type { LiveEvent, TurnDeps } from './deps.ts';
import { createJournal } from './journal.ts';
import { runTurn } from './run.ts';

/** A turn that was taken on: recorded, and running by itself. */
export interface StartedTurn {
  /** As it was recorded, in progress. */
  turn: Turn;
  /** The turn when it has ended. Rejects with an AppError, which has `turn_number`, when it fails. */
  done: Promise<Turn>;
}

/** The turns that run in this process. */
export function createTurnRunner(deps: TurnDeps) {
  const { db, options, log } = deps;
  // a turn outlives an outage as long as its lease does
  const patient = { ...deps, db: patientDatabase(db, { forMs: options.leaseSeconds * 1_000 }) };
  const launcher = createLauncher<TurnLease & { scope: Scope }, Turn>({
    noun: 'turn',
    prolong: (leases, share) => prolongLeases(forSystem(db), leases, share),
    leaseSeconds: options.leaseSeconds,
    watchMs: options.watchMs,
    log,
  });

  return {
    /** Runs a turn that has begun. */
    launch(scope: Scope, turn: BegunTurn): StartedTurn {
      const emit = (event: LiveEvent): void => tell(deps, scope, turn.turnNumber, event);
      emit({ type: 'turn.created', data: turn.recorded });
      const done = launcher.launch(
        keyOf(scope, turn.turnNumber),
        { ...turn.lease, scope },
        {
          timeoutMs: turn.research ? options.research.timeoutMs : options.turnTimeoutMs,
          work: (control) =>
            traced(turn, () =>
              runTurn({ deps: patient, scope, turn, journal: createJournal(), emit, ...control }),
            ),
        },
      );
      return { turn: turn.recorded, done };
    },

    /** A turn that runs here. */
    find: (scope: Scope, turnNumber: number) => launcher.find(keyOf(scope, turnNumber)),

    admit: launcher.admit,
    stop: launcher.stop,
  };
}

/** Runs a turn in a span: a part of its request, which may have been answered long before the turn ends. */
function traced({ turnNumber, lease, research }: BegunTurn, run: () => Promise<Turn>): Promise<Turn> {
  const attributes = {
    'forge.turn.number': turnNumber,
    'forge.turn.attempt': lease.attempt,
    'forge.turn.research': research === true,
  };
  return withSpan('turn', { attributes }, async (span) => {
    const turn = await run();
    span.set({ 'forge.turn.status': turn.status });
    return turn;
  });
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
