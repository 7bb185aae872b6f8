import type { Database } from '../../db/database.ts';
import type { EventRow } from '../../db/followed.ts';
import { DatabaseError } from '../../errors.ts';
import { createOutageLog } from '../outage-log.ts';
import { type Channel, toRows } from './events-channel.ts';
import type { FollowedEvent, FollowedKind, FollowLog, Id } from './kind.ts';

export interface EventWriter<I extends Id, E extends FollowedEvent> {
  /** There are events to store, soon; at once after a channel's last one. */
  touch(channel: Channel<I, E>): void;
  /** Stores what there is, and waits for it. */
  flush(): Promise<void>;
}

export interface EventWriterOptions<I extends Id, E extends FollowedEvent> {
  kind: FollowedKind<I, E>;
  db: Database;
  /** How long events are gathered before they are written. */
  flushMs: number;
  log: FollowLog;
  /** Everything of an ended channel is stored. */
  onStored: (channel: Channel<I, E>) => void;
}

/**
 * So many tries together; then each channel by itself, and what cannot be written then is given up. While the database is in
 * trouble nothing is: the events wait, in memory, until it is over.
 */
const TRIES = 5;
const LONGEST_PAUSE_MS = 3_000;
const EVENTS_AT_ONCE = 2_000;

/** What of a channel is written next. */
interface Batch<I extends Id, E extends FollowedEvent> {
  channel: Channel<I, E>;
  rows: EventRow<I>[];
  /** So many of the channel's events are stored then. */
  upTo: number;
}

const batchOf = <I extends Id, E extends FollowedEvent>(channel: Channel<I, E>): Batch<I, E> => {
  const events = channel.events.slice(channel.stored, channel.stored + EVENTS_AT_ONCE);
  return { channel, upTo: channel.stored + events.length, rows: toRows(channel, events) };
};

/** What cannot be written must not hold up the others; its end is told from its row. */
async function storeOrGiveUp<I extends Id, E extends FollowedEvent>(
  { kind, db, log }: EventWriterOptions<I, E>,
  { channel, rows }: Batch<I, E>,
): Promise<void> {
  await kind
    .insertEvents(db, rows)
    .catch((err: unknown) =>
      log.error({ err, [kind.noun]: channel.id }, `events of a ${kind.noun} were given up`),
    );
}

/**
 * Stores events behind the streams: those of all that runs in one statement every `flushMs`, one statement at a time, so the
 * order stays and a stream never waits for the database.
 */
export function createEventWriter<I extends Id, E extends FollowedEvent>(
  options: EventWriterOptions<I, E>,
): EventWriter<I, E> {
  const { kind, db, flushMs, log, onStored } = options;
  const dirty = new Set<Channel<I, E>>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  const outage = createOutageLog(log, `the storing of events of ${kind.noun}s`);
  let failures = 0;

  function stored({ channel, upTo }: Batch<I, E>): void {
    channel.stored = upTo;
    if (upTo < channel.events.length) return;
    dirty.delete(channel);
    if (channel.ended) onStored(channel);
  }

  async function write(): Promise<void> {
    const batches = [...dirty].map((channel) => batchOf(channel));
    try {
      const rows = batches.flatMap((batch) => batch.rows);
      await kind.insertEvents(db, rows);
      for (const batch of batches) stored(batch);
      failures = 0;
      outage.succeeded();
    } catch (error) {
      failures += 1;
      outage.failed(error);
      if (failures < TRIES || (error instanceof DatabaseError && error.isPostponed)) return;
      failures = 0;
      for (const batch of batches) await storeOrGiveUp(options, batch);
      for (const batch of batches) stored(batch);
    }
  }

  function start(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = undefined;
      schedule();
    });
    return writing;
  }

  function schedule(): void {
    if (dirty.size === 0 || writing !== undefined) return;
    const urgent = failures === 0 && [...dirty].some((channel) => channel.ended);
    if (timer && !urgent) return;
    clearTimeout(timer);
    const pauseMs = Math.min(flushMs * 2 ** failures, LONGEST_PAUSE_MS);
    timer = setTimeout(() => void start(), urgent ? 0 : pauseMs);
  }

  return {
    touch(channel) {
      dirty.add(channel);
      schedule();
    },
    async flush() {
      for (let tries = 0; dirty.size > 0 && tries <= 2 * TRIES; tries++) await start();
    },
  };
}
