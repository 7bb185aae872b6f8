import type { Database } from '../../db/database.ts';
import { type EventRow, insertEvents } from '../../db/turn-events.ts';
import type { TurnDeps } from './deps.ts';
import { type Channel, toRows } from './events-channel.ts';

export interface EventWriter {
  /** There are events to store, soon; at once after a channel's last one. */
  touch(channel: Channel): void;
  /** Stores what there is, and waits for it. */
  flush(): Promise<void>;
}

export interface EventWriterOptions {
  db: Database;
  /** How long events are gathered before they are written. */
  flushMs: number;
  log: TurnDeps['log'];
  /** Everything of an ended channel is stored. */
  onStored: (channel: Channel) => void;
}

/** So many tries together; then each turn by itself, and what cannot be written then is given up. */
const TRIES = 5;
const EVENTS_AT_ONCE = 2_000;

/** What of a channel is written next. */
interface Batch {
  channel: Channel;
  rows: EventRow[];
  /** So many of the channel's events are stored then. */
  upTo: number;
}

const batchOf = (channel: Channel): Batch => {
  const events = channel.events.slice(channel.stored, channel.stored + EVENTS_AT_ONCE);
  return { channel, upTo: channel.stored + events.length, rows: toRows(channel, events) };
};

/** A turn that cannot be written must not hold up the others; its end is told from its row. */
async function storeOrGiveUp({ db, log }: EventWriterOptions, { channel, rows }: Batch): Promise<void> {
  await insertEvents(db, rows).catch((err: unknown) =>
    log.error({ err, turn: channel.turnNumber }, 'events of a turn were given up'),
  );
}

/**
 * Stores events behind the streams: those of all turns in one statement every `flushMs`, one statement at a time, so the
 * order stays and a stream never waits for the database.
 */
export function createEventWriter(options: EventWriterOptions): EventWriter {
  const { db, flushMs, log, onStored } = options;
  const dirty = new Set<Channel>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failures = 0;

  function stored({ channel, upTo }: Batch): void {
    channel.stored = upTo;
    if (upTo < channel.events.length) return;
    dirty.delete(channel);
    if (channel.ended) onStored(channel);
  }

  async function write(): Promise<void> {
    const batches = [...dirty].map(batchOf);
    try {
      const rows = batches.flatMap((batch) => batch.rows);
      await insertEvents(db, rows);
      for (const batch of batches) stored(batch);
      failures = 0;
    } catch (error) {
      failures += 1;
      log.warn({ err: error, tries: failures }, 'events of turns could not be stored');
      if (failures < TRIES) return;
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
    timer = setTimeout(() => void start(), urgent ? 0 : flushMs * 2 ** failures);
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
