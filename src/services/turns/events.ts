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
export function createTurnEventLog(options: { db: Database; log: TurnDeps['log']; flushMs?: number }) {
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

/** What is told of turns comes from here. */
interface EventSource {
  db: Database;
  events: ReturnType<typeof createTurnEventLog>;
  /** The turn as it is, an abandoned one being ended first. */
  getTurn: (scope: Scope, turnNumber: number) => Promise<Turn>;
  log: TurnDeps['log'];
  pollMs?: number;
}

/** The events of turns for those who follow them, wherever the turns run. */
export function createTurnEventService(source: EventSource) {
  const { db, events } = source;

  /** @see followTurn */
  const follow = (scope: Scope, turnNumber: number, after: number, signal: AbortSignal) =>
    followTurn(source, { scope, turnNumber, last: after, foreignEnd: false }, signal);

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

/** How far a follower has come. */
interface Place {
  scope: Scope;
  turnNumber: number;
  /** Number of the last event that it had. */
  last: number;
  /** The turn's worker has gone away: nobody will write its last event. */
  foreignEnd: boolean;
}

/**
 * The events of a turn from a place on, of its present attempt only, then those that come. Ends after the turn's last
 * event, or with the signal. No connection is held between two polls, and none is used for a turn that runs here.
 *
 * @throws AppError `turn_not_found`, `project_not_found` when it goes away meanwhile; the database's failure when it stays
 *   away
 */
async function* followTurn(
  source: EventSource,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<SequencedEvent> {
  const { events, log, pollMs = POLL_MS } = source;
  const { scope, turnNumber } = place;
  let failures = 0;
  while (!signal.aborted) {
    const channel = events.channel(scope, turnNumber);
    if (channel) return yield* followChannel(channel, place.last, signal);
    try {
      const { found, goesOn } = await readOn(source, place);
      failures = 0;
      for (const event of found) {
        place.last = event.seq;
        yield event;
      }
      if (goesOn === 'never') return;
      if (goesOn === 'now') continue;
    } catch (err) {
      if (err instanceof AppError || ++failures > MOST_FAILURES) throw err;
      log.warn({ err, turn: turnNumber }, 'the events of a turn could not be read');
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** The stored events from a place on, and whether and when there may be more. */
async function readOn(
  { db, getTurn }: EventSource,
  place: Place,
): Promise<{ found: SequencedEvent[]; goesOn: 'now' | 'later' | 'never' }> {
  const { scope, turnNumber, last } = place;
  const page = await selectEvents(db, scope, turnNumber, { after: last, limit: ROWS_AT_ONCE });
  const found = (page?.rows.flatMap(fromRow) ?? []).filter((event) => event.seq > last);
  if (found.some(isTerminal)) return { found, goesOn: 'never' };
  if (page?.hasMore) return { found, goesOn: 'now' };
  if (!page || page.abandoned) {
    await getTurn(scope, turnNumber);
    place.foreignEnd = true;
    return { found, goesOn: 'now' };
  }
  const { status, attempt, closed, settled } = page;
  if (status === 'in_progress' || !(closed || settled || place.foreignEnd)) return { found, goesOn: 'later' };
  const seq = seqOfForeignEnd(attempt);
  if (!closed && last < seq) {
    found.push({ seq, type: `turn.${status}`, data: await getTurn(scope, turnNumber) });
  }
  return { found, goesOn: 'never' };
}

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
