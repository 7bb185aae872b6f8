import type { TurnEvent } from '../contract/turn-event.ts';

type ReasoningEvent = Extract<TurnEvent, { type: 'reasoning.delta' }>;

/** What stands between two parts of one text. */
export const BETWEEN_PARTS = '\n\n';

/** Passes on what a model thinks, each thought apart from the one before it. */
export function createThoughts(onEvent: (event: ReasoningEvent) => void) {
  let isFirst = true;

  return {
    /** Begins a thought; what it gives takes the thought's text, piece by piece. */
    begin(): (delta: string) => void {
      let isApart = true;
      return (delta) => {
        if (delta === '') return;
        const text = isApart && !isFirst ? `${BETWEEN_PARTS}${delta}` : delta;
        isApart = false;
        isFirst = false;
        onEvent({ type: 'reasoning.delta', data: { text } });
      };
    },
  };
}
