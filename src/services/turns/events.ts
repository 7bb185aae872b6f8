import { setTimeout as delay } from 'node:timers/promises';
import type { Turn } from '../../contract/turn.ts';
import type { Database } from '../../db/database.ts';
import { selectEvents } from '../../db/turn-events.ts';
import { AppError, ERROR_CODES, type ErrorCode } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import type { TurnDeps, TurnEventSink } from './deps.ts';
import {
  append,
  type Channel,
  createChannel,
  followChannel,
  fromRow,
  isTerminal,
  type SequencedEvent,
  seqOfForeignEnd,
} from './events-channel.ts';
import { createEventWriter } from './events-writer.ts';

const FLUSH_MS = 100;
const POLL_MS = 300;
const ROWS_AT_ONCE = 500;
/** Polls that fail one after another before a follower is let go; it comes back with the number it has seen. */
const MOST_FAILURES = 10;

/** Where the events of the turns that run here go: followers in this process have them at once, storage soon after. */
export function createTurnEventLog(options: {
  db: Database;
  log: TurnDeps['log'];
  /** A turn that runs here has been ended by another. */
  onLost?: (scope: Scope, turnNumber: number) => void;
  flushMs?: number;
}) {
  const channels = new Map<string, Channel>();
  const keyOf = (scope: Scope, turnNumber: number): string =>
    JSON.stringify([scope.workspaceId, scope.projectId, turnNumber]);
  const writer = createEventWriter({
    db: options.db,
    log: options.log,
    flushMs: options.flushMs ?? FLUSH_MS,
    onStored: (channel) => {
      const key = keyOf(channel.scope, channel.turnNumber);
      if (channels.get(key) === channel) channels.delete(key);
    },
    onLost: ({ scope, turnNumber }) => options.onLost?.(scope, turnNumber),
  });

  const sink: TurnEventSink = (scope, turnNumber, event) => {
    const key = keyOf(scope, turnNumber);
    if (event.type === 'turn.created') {
      channels.set(key, createChannel(scope, turnNumber, event.data.attempt));
    }
    const channel = channels.get(key);
    if (!channel) return;
    append(channel, event);
    writer.touch(channel);
  };

  return {
    sink,
    /** The channel of a turn that runs here, or whose events are not all stored yet. */
    channel: (scope: Scope, turnNumber: number) => channels.get(keyOf(scope, turnNumber)),
    /** Stores everything that is known. */
    flush: () => writer.flush(),
  };
}

/** The events of turns for those who follow them, wherever the turns run. */
export function createTurnEventService(deps: {
  db: Database;
  events: ReturnType<typeof createTurnEventLog>;
  /** The turn as it is, an abandoned one being ended first. */
  getTurn: (scope: Scope, turnNumber: number) => Promise<Turn>;
  log: TurnDeps['log'];
  pollMs?: number;
}) {
  const { db, events, getTurn, log, pollMs = POLL_MS } = deps;

  /**
   * The events of a turn after number `after`, of its present attempt only, then those that come. Ends after the turn's
   * last event, or with the signal. No connection is held between two polls, and none is used for a turn that runs here.
   *
   * @throws AppError `turn_not_found`, `project_not_found` when it goes away meanwhile; the database's failure when it
   * stays away
   */
  async function* follow(
    scope: Scope,
    turnNumber: number,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<SequencedEvent> {
    let last = after;
    let failures = 0;
    let foreignEnd = false;
    while (!signal.aborted) {
      const channel = events.channel(scope, turnNumber);
      if (channel) {
        for await (const event of followChannel(channel, last, signal)) {
          last = event.seq;
          yield event;
        }
        return;
      }
      try {
        const page = await selectEvents(db, scope, turnNumber, { after: last, limit: ROWS_AT_ONCE });
        failures = 0;
        for (const event of page?.rows.flatMap(fromRow) ?? []) {
          if (event.seq <= last) continue;
          last = event.seq;
          yield event;
          if (isTerminal(event)) return;
        }
        if (page?.hasMore) continue;
        if (!page || page.abandoned) {
          await getTurn(scope, turnNumber);
          foreignEnd = true;
          continue;
        }
        if (page.status !== 'in_progress' && (page.closed || page.settled || foreignEnd)) {
          const seq = seqOfForeignEnd(page.attempt);
          if (page.closed || last >= seq) return;
          yield {
            seq,
            type: `turn.${page.status}`,
            data: await getTurn(scope, turnNumber),
          };
          return;
        }
      } catch (error) {
        if (error instanceof AppError || ++failures > MOST_FAILURES) throw error;
        log.warn({ err: error, turn: turnNumber }, 'the events of a turn could not be read');
      }
      await delay(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    follow,

    /** Whether nothing comes after number `after` any more. */
    async isOver(scope: Scope, turnNumber: number, after: number): Promise<boolean> {
      if (events.channel(scope, turnNumber)) return false;
      const page = await selectEvents(db, scope, turnNumber, { after, limit: 1 });
      if (!page || page.status === 'in_progress' || page.rows.length > 0) return false;
      return page.closed || after >= seqOfForeignEnd(page.attempt);
    },

    /**
     * Waits for a turn's end, and gives the turn as its last event has it.
     *
     * @throws AppError what made it fail, with `turn_number`; `service_unavailable` when the signal ends first
     */
    async ended(scope: Scope, turnNumber: number, signal: AbortSignal): Promise<Turn> {
      for await (const event of follow(scope, turnNumber, 0, signal)) {
        if (!isTerminal(event)) continue;
        if (event.type === 'turn.failed') throw errorOfTurn(event.data);
        return event.data;
      }
      throw new AppError('service_unavailable', { detail: 'The turn goes on. Read it again.' });
    },
  };
}

export type TurnEventLog = ReturnType<typeof createTurnEventLog>;
export type TurnEventService = ReturnType<typeof createTurnEventService>;

/** What made a turn fail, as it is shown, in the terms of the closed table. */
export function errorOfTurn({ error, turn_number }: Turn): AppError {
  const code = error && Object.hasOwn(ERROR_CODES, error.code) ? (error.code as ErrorCode) : 'internal_error';
  return new AppError(code, {
    ...(error && { detail: error.detail }),
    ...(error?.retry_after_s !== undefined && { retryAfterSeconds: error.retry_after_s }),
    extra: { turn_number },
  });
}
