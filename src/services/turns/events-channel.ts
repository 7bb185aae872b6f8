import type { TurnEvent } from '../../contract/turn-event.ts';
import { type DeltaType, EVENTS_PER_ATTEMPT, type EventRow, type StoredEvent } from '../../db/turn-events.ts';
import type { Scope } from '../../scope.ts';
import type { LiveEvent } from './deps.ts';

/** An event of a turn with its number. Numbers rise, and are the same live and from storage. */
export type SequencedEvent = TurnEvent & { seq: number };

const DELTAS_PER_ROW = 500;

type EndOfTurn = Extract<TurnEvent, { type: 'turn.completed' | 'turn.failed' | 'turn.cancelled' }>;

export const isTerminal = <E extends TurnEvent>(event: E): event is E & EndOfTurn =>
  event.type === 'turn.completed' || event.type === 'turn.failed' || event.type === 'turn.cancelled';

const isDelta = <E extends { type: string }>(event: E): event is E & { type: DeltaType } =>
  event.type === 'answer.delta' || event.type === 'reasoning.delta';

/** The number before the first one of an attempt. */
export const seqBefore = (attempt: number): number => (attempt - 1) * EVENTS_PER_ATTEMPT;

/** The number of the last event of an attempt that was ended by another than its worker, who had numbers of its own. */
export const seqOfForeignEnd = (attempt: number): number => attempt * EVENTS_PER_ATTEMPT;

/** The events of a turn that runs in this process, in memory until all of them are stored. */
export interface Channel {
  readonly scope: Scope;
  readonly turnNumber: number;
  readonly attempt: number;
  readonly events: SequencedEvent[];
  /** Called, in no order, when events were added. */
  readonly listeners: Set<() => void>;
  ended: boolean;
  /** So many of the events are stored. */
  stored: number;
}

export const createChannel = (scope: Scope, turnNumber: number, attempt: number): Channel => ({
  scope,
  turnNumber,
  attempt,
  events: [],
  listeners: new Set(),
  ended: false,
  stored: 0,
});

/** Numbers an event and tells whoever follows. What comes after the end is dropped. */
export function append(channel: Channel, { endedElsewhere, ...event }: LiveEvent): void {
  if (channel.ended) return;
  const seq = endedElsewhere
    ? seqOfForeignEnd(channel.attempt)
    : seqBefore(channel.attempt) + channel.events.length + 1;
  channel.events.push({ seq, ...event });
  channel.ended = isTerminal(event);
  for (const tell of channel.listeners) tell();
}

/** The events after number `after`, those that are there and those that come, until the turn or the signal ends. */
export async function* followChannel(
  channel: Channel,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SequencedEvent> {
  let wake = (): void => undefined;
  const tell = (): void => wake();
  channel.listeners.add(tell);
  signal.addEventListener('abort', tell, { once: true });
  try {
    let next = Math.max(0, after - seqBefore(channel.attempt));
    while (!signal.aborted) {
      for (; next < channel.events.length; next++) {
        const event = channel.events[next];
        if (event) yield event;
      }
      if (channel.ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    channel.listeners.delete(tell);
    signal.removeEventListener('abort', tell);
  }
}

/** The rows for events that follow each other: neighbouring pieces of text share one. */
export function toRows(
  { scope, turnNumber, attempt }: Channel,
  events: readonly SequencedEvent[],
): EventRow[] {
  const rows: EventRow[] = [];
  for (const event of events) {
    const last = rows.at(-1);
    if (!isDelta(event)) {
      rows.push({ scope, turnNumber, attempt, ...event });
    } else if (last && isDelta(last) && last.type === event.type && last.data.length < DELTAS_PER_ROW) {
      last.data.push(event.data.text);
      last.seq = event.seq;
    } else {
      rows.push({ scope, turnNumber, attempt, ...event, data: [event.data.text] });
    }
  }
  return rows;
}

/** The events of a row, each with the number that it had. */
export function fromRow(row: StoredEvent & { seq: number }): SequencedEvent[] {
  if (!isDelta(row)) return [row];
  const first = row.seq - row.data.length + 1;
  return row.data.map((text, index) => ({ seq: first + index, type: row.type, data: { text } }));
}
