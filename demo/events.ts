import type { TurnEvent } from './wire.ts';

const ENDS = ['turn.completed', 'turn.failed', 'turn.cancelled'];

export const isEnd = ({ event }: TurnEvent): boolean => ENDS.includes(event);

/** The reply as far as the events tell it: what stands in front of a reset is superseded. */
export function replyOf(events: readonly TurnEvent[]): string {
  const from = events.findLastIndex(({ event }) => event === 'answer.reset') + 1;
  return events.slice(from).map(deltaOf).join('');
}

/** The text of a piece of the answer; empty for any other event. */
export const deltaOf = (event: TurnEvent): string => (event.event === 'answer.delta' ? event.data.text : '');
