import type { Turn } from '../../contract/turn.ts';
import type { TurnEvent } from '../../contract/turn-event.ts';
import type { Database } from '../../db/database.ts';
import { insertEvents, selectChanged, selectEvents } from '../../db/turn-events.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { createEventLog, type EventLog } from '../followed/event-log.ts';
import { errorOfFailure } from '../followed/failures.ts';
import { createFollower } from '../followed/follow.ts';
import type { FollowedKind } from '../followed/kind.ts';
import type { TurnDeps } from './deps.ts';

type EndOfTurn = Extract<TurnEvent, { type: 'turn.completed' | 'turn.failed' | 'turn.cancelled' }>;

const isTerminal = (event: TurnEvent): event is EndOfTurn =>
  event.type === 'turn.completed' || event.type === 'turn.failed' || event.type === 'turn.cancelled';

const TURNS: FollowedKind<number, TurnEvent> = {
  noun: 'turn',
  insertEvents,
  selectEvents,
  selectChanged,
  attemptOf: (event) => (event.type === 'turn.created' ? event.data.attempt : null),
  isTerminal,
};

export type TurnEventLog = EventLog<number, TurnEvent>;

/** Where the events of the turns that run here go. */
export const createTurnEventLog = (options: {
  db: Database;
  log: TurnDeps['log'];
  flushMs?: number;
}): TurnEventLog => createEventLog(TURNS, options);

/** What is told of turns comes from here. */
interface EventSource {
  db: Database;
  events: TurnEventLog;
  /** The turn as it is, an abandoned one being ended first. */
  getTurn: (scope: Scope, turnNumber: number) => Promise<Turn>;
  log: TurnDeps['log'];
  retryMs?: number;
}

/** The events of turns for those who follow them, wherever the turns run. */
export function createTurnEventService({ getTurn, ...source }: EventSource) {
  const { follow, isOver, last } = createFollower({
    ...source,
    kind: TURNS,
    async endOf(scope, turnNumber) {
      const turn = await getTurn(scope, turnNumber);
      return turn.status === 'in_progress' ? null : { type: `turn.${turn.status}` as const, data: turn };
    },
  });

  return {
    follow,
    isOver,

    /**
     * Waits for a turn's end, and gives the turn as its last event has it.
     *
     * @throws AppError what made it fail, with `turn_number`; `service_unavailable` when the signal ends first
     */
    async ended(scope: Scope, turnNumber: number, signal: AbortSignal): Promise<Turn> {
      const event = await last(scope, turnNumber, signal);
      if (!event || !isTerminal(event)) {
        throw new AppError('service_unavailable', { detail: 'The turn goes on. Read it again.' });
      }
      if (event.type === 'turn.failed') throw errorOfTurn(event.data);
      return event.data;
    },
  };
}

export type TurnEventService = ReturnType<typeof createTurnEventService>;

/** What made a turn fail, as it is shown, in the terms of the closed table. */
export const errorOfTurn = ({ error, turn_number }: Turn): AppError => errorOfFailure(error, { turn_number });
