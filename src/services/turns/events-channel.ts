import { EVENTS_PER_ATTEMPT, type EventRow } from '../../db/turn-events.ts';
import type { Scope } from '../../scope.ts';
import type { TurnEvent } from './deps.ts';

/** An event of a turn with its number. Numbers rise, and are the same live and from storage. */
export interface SequencedEvent {
  seq: number;
  type: TurnEvent['type'];
  data: unknown;
}

const TERMINAL = new Set(['turn.completed', 'turn.failed', 'turn.cancelled']);
const DELTAS_PER_ROW = 500;

export const isTerminal = ({ type }: { type: string }): boolean => TERMINAL.has(type);

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
export function append(channel: Channel, event: TurnEvent): void {
  if (channel.ended) return;
  const endedElsewhere = 'endedElsewhere' in event && event.endedElsewhere === true;
  const seq = endedElsewhere
    ? seqOfForeignEnd(channel.attempt)
    : seqBefore(channel.attempt) + channel.events.length + 1;
  channel.events.push({ seq, type: event.type, data: event.data });
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
  let texts: string[] | null = null;
  for (const { seq, type, data } of events) {
    const last = rows.at(-1);
    if (type === 'answer.delta') {
      const { text } = data as { text: string };
      if (texts && last && texts.length < DELTAS_PER_ROW) {
        texts.push(text);
        last.seq = seq;
        continue;
      }
      texts = [text];
    } else texts = null;
    rows.push({ scope, turnNumber, attempt, seq, type, data: texts ?? data });
  }
  return rows;
}

/** The events of a row, each with the number that it had. */
export function fromRow(row: { seq: number; type: string; data: unknown }): SequencedEvent[] {
  const type = row.type as TurnEvent['type'];
  if (type !== 'answer.delta' || !Array.isArray(row.data)) return [{ seq: row.seq, type, data: row.data }];
  const first = row.seq - row.data.length + 1;
  return row.data.map((text: unknown, index) => ({ seq: first + index, type, data: { text } }));
}
