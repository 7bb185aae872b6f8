import type { Database } from '../../db/database.ts';
import type { Scope } from '../../scope.ts';
import { createOutageLog, type OutageLog } from '../outage-log.ts';
import { readPatiently } from '../patient-read.ts';
import type { SharedPoll } from '../shared-poll.ts';
import { type Change, createChanges, type ReadEvents, readEvents } from './changes.ts';
import type { EventLog } from './event-log.ts';
import { followChannel, fromRow, seqOfForeignEnd } from './events-channel.ts';
import type { FollowedEvent, FollowedKind, FollowLog, Id, Sequenced } from './kind.ts';

/** What is told of a kind comes from here. */
export interface EventSource<I extends Id, E extends FollowedEvent> {
  kind: FollowedKind<I, E>;
  db: Database;
  events: EventLog<I, E>;
  /**
   * The last event of one that has ended, as its row has it; an abandoned one is ended first. Null: it goes on.
   *
   * @throws AppError when there is none of this name
   */
  endOf: (scope: Scope, id: I) => Promise<E | null>;
  log: FollowLog;
  retryMs?: number | undefined;
}

/** The events of a kind for those who follow them, wherever it runs. */
export function createFollower<I extends Id, E extends FollowedEvent>(source: EventSource<I, E>) {
  const { kind, db, events } = source;
  const changes = createChanges(source);
  const outage = createOutageLog(source.log, `the reading of events of ${kind.noun}s`);

  const follow = (scope: Scope, id: I, after: number, signal: AbortSignal) =>
    followOne(source, { changes, outage }, { scope, id, last: after, foreignEnd: false }, signal);

  return {
    /**
     * The events of one from a number on, of its present attempt only, then those that come. Ends after the last one, or
     * with the signal. No connection is held between two looks, and none is used for what runs here.
     *
     * @throws AppError when it goes away meanwhile; the database's failure when it stays away
     */
    follow,

    /** Whether nothing comes after number `after` any more. */
    async isOver(scope: Scope, id: I, after: number): Promise<boolean> {
      if (events.channel(scope, id)) return false;
      const page = await kind.selectEvents(db, scope, id, { after, limit: 1 });
      if (!page || page.status === 'in_progress' || page.rows.length > 0) return false;
      return page.closed || after >= seqOfForeignEnd(page.attempt);
    },

    /** Waits for the last event; null when the signal ends first. */
    async last(scope: Scope, id: I, signal: AbortSignal): Promise<E | null> {
      for await (const event of follow(scope, id, 0, signal)) if (kind.isTerminal(event)) return event;
      return null;
    },
  };
}

type Changes<I extends Id> = SharedPoll<{ scope: Scope; id: I }, Change>;

/** How far a follower has come. */
interface Place<I> {
  scope: Scope;
  id: I;
  /** Number of the last event that it had. */
  last: number;
  /** Its worker has gone away: nobody will write its last event. */
  foreignEnd: boolean;
}

async function* followOne<I extends Id, E extends FollowedEvent>(
  source: EventSource<I, E>,
  { changes, outage }: { changes: Changes<I>; outage: OutageLog },
  place: Place<I>,
  signal: AbortSignal,
): AsyncGenerator<Sequenced<E>> {
  const { events, retryMs } = source;
  const { scope, id } = place;
  const readAlone = readEvents(source, scope, id);
  const changed = changes.watch({ scope, id }, signal);
  let read = readAlone;
  const readNext = () => {
    const once = read;
    // what others have read was read before what this one has done since
    read = readAlone;
    return readOn(source, place, once);
  };
  try {
    while (!signal.aborted) {
      const channel = events.channel(scope, id);
      if (channel) return yield* followChannel(channel, place.last, signal);
      const next = await readPatiently(readNext, { signal, outage, retryMs });
      if (!next) return;
      for (const event of next.found) {
        place.last = event.seq;
        yield event;
      }
      if (next.goesOn === 'never') return;
      if (next.goesOn === 'now') continue;
      const { value: change, done } = await changed.next();
      if (done) return;
      if ('failure' in change) throw change.failure;
      read = change.read;
    }
  } finally {
    await changed.return(undefined);
  }
}

/** The stored events from a place on, and whether and when there may be more. */
async function readOn<I extends Id, E extends FollowedEvent>(
  { kind, endOf }: EventSource<I, E>,
  place: Place<I>,
  read: ReadEvents,
): Promise<{ found: Sequenced<E>[]; goesOn: 'now' | 'later' | 'never' }> {
  const { scope, id, last } = place;
  const page = await read(last);
  const found = (page?.rows.flatMap((row) => fromRow<E>(row)) ?? []).filter((event) => event.seq > last);
  if (found.some(kind.isTerminal)) return { found, goesOn: 'never' };
  if (page?.hasMore) return { found, goesOn: 'now' };
  if (!page || page.abandoned) {
    await endOf(scope, id);
    place.foreignEnd = true;
    return { found, goesOn: 'now' };
  }
  const { status, attempt, closed, settled } = page;
  if (status === 'in_progress' || !(closed || settled || place.foreignEnd)) return { found, goesOn: 'later' };
  const seq = seqOfForeignEnd(attempt);
  if (closed || last >= seq) return { found, goesOn: 'never' };
  const end = await endOf(scope, id);
  // taken up again since
  if (!end) return { found, goesOn: 'now' };
  return { found: [...found, { ...end, seq }], goesOn: 'never' };
}
