import { type DeltaType, EVENTS_PER_ATTEMPT, type EventRow, type StoredEvent } from '../../db/followed.ts';
import type { Scope } from '../../scope.ts';
import type { FollowedEvent, Id, Live, Sequenced } from './kind.ts';

const DELTAS_PER_ROW = 500;

interface Delta {
  type: DeltaType;
  data: { text: string };
}

const isDeltaType = (type: string): type is DeltaType =>
  type === 'answer.delta' || type === 'reasoning.delta';

/** The number before the first one of an attempt. */
export const seqBefore = (attempt: number): number => (attempt - 1) * EVENTS_PER_ATTEMPT;

/** The number of the last event of an attempt that was ended by another than its worker, who had numbers of its own. */
export const seqOfForeignEnd = (attempt: number): number => attempt * EVENTS_PER_ATTEMPT;

/** The events of what runs in this process, in memory until all of them are stored. */
export interface Channel<I extends Id, E extends FollowedEvent> {
  readonly scope: Scope;
  readonly id: I;
  readonly attempt: number;
  readonly events: Sequenced<E>[];
  /** Called, in no order, when events were added. */
  readonly listeners: Set<() => void>;
  ended: boolean;
  /** So many of the events are stored. */
  stored: number;
}

export const createChannel = <I extends Id, E extends FollowedEvent>(
  scope: Scope,
  id: I,
  attempt: number,
): Channel<I, E> => ({
  scope,
  id,
  attempt,
  events: [],
  listeners: new Set(),
  ended: false,
  stored: 0,
});

/** Numbers an event and tells whoever follows. What comes after the end is dropped. */
export function append<I extends Id, E extends FollowedEvent>(
  channel: Channel<I, E>,
  { endedElsewhere, ...event }: Live<E>,
  isTerminal: (event: E) => boolean,
): void {
  if (channel.ended) return;
  const seq = endedElsewhere
    ? seqOfForeignEnd(channel.attempt)
    : seqBefore(channel.attempt) + channel.events.length + 1;
  // the rest of a `Live<E>` is an `E`, which the compiler cannot see of a type that it does not know
  const sequenced = { seq, ...event } as unknown as Sequenced<E>;
  channel.events.push(sequenced);
  channel.ended = isTerminal(sequenced);
  for (const tell of channel.listeners) tell();
}

/** The events after number `after`, those that are there and those that come, until the last one or the signal. */
export async function* followChannel<I extends Id, E extends FollowedEvent>(
  channel: Channel<I, E>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<Sequenced<E>> {
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
export function toRows<I extends Id, E extends FollowedEvent>(
  { scope, id, attempt }: Channel<I, E>,
  events: readonly Sequenced<E>[],
): EventRow<I>[] {
  const rows: EventRow<I>[] = [];
  let texts: string[] = [];
  for (const event of events) {
    const { type, data, seq } = event;
    if (!isDeltaType(type)) {
      rows.push({ scope, id, attempt, type, data, seq });
      continue;
    }
    const { text } = data as Delta['data'];
    const last = rows.at(-1);
    if (last?.type === type && last.data === texts && texts.length < DELTAS_PER_ROW) {
      texts.push(text);
      last.seq = seq;
    } else {
      texts = [text];
      rows.push({ scope, id, attempt, type, data: texts, seq });
    }
  }
  return rows;
}

/** The events of a row, each with the number that it had. They are of the kind that was stored. */
export function fromRow<E extends FollowedEvent>({ type, data, seq }: StoredEvent): Sequenced<E>[] {
  if (!isDeltaType(type)) return [{ seq, type, data } as unknown as Sequenced<E>];
  const texts = data as string[];
  const first = seq - texts.length + 1;
  return texts.map(
    (text, index) => ({ seq: first + index, type, data: { text } }) as unknown as Sequenced<E>,
  );
}
