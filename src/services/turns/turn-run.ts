import type { Scope } from '../../scope.ts';
import type { StopReason } from '../followed/stopped.ts';
import type { BegunTurn, TurnStart } from './begin.ts';
import type { LiveEvent, TurnDeps } from './deps.ts';
import type { Journal } from './journal.ts';

/** What the steps before the large model share. */
export interface Preparation {
  deps: TurnDeps;
  scope: Scope;
  turn: TurnStart;
  journal: Journal;
  signal: AbortSignal;
  emit(event: LiveEvent): void;
}

/** What all steps of a turn that runs share. */
export interface TurnRun extends Preparation {
  turn: BegunTurn;
  /** Stops it, whatever it is doing: its signal's reason is a `Stopped` then, the first one that there was. */
  stop(reason: StopReason): void;
}
