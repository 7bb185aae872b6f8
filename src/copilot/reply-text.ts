import type { TurnEvent } from '../contract/turn-event.ts';
import type { Generation } from '../llm/model.ts';
import { BETWEEN_PARTS, createThoughts } from './thoughts.ts';

type TextEvent = Extract<TurnEvent, { type: 'reasoning.delta' | 'answer.delta' | 'answer.reset' }>;

/**
 * The one reply of a turn, as calls of the model write it. What a call says takes the place of what one before it said,
 * in front of tool calls; where the model was interrupted, it goes on instead.
 */
export function createReplyText(onEvent: (event: TextEvent) => void) {
  let said = '';
  const thoughts = createThoughts(onEvent);
  let goesOn = false;

  return {
    said: () => said,

    /** Passes on what the next call says, while it says it. */
    listener() {
      let hasText = false;
      let held = '';

      function firstText(text: string): void {
        hasText = true;
        const isLater = said !== '';
        if (isLater && !goesOn) onEvent({ type: 'answer.reset', data: { reason: 'superseded' } });
        onEvent({
          type: 'answer.delta',
          data: { text: isLater && goesOn ? `${BETWEEN_PARTS}${text}` : text },
        });
      }

      return {
        onText(delta: string): void {
          if (delta === '') return;
          if (hasText) {
            onEvent({ type: 'answer.delta', data: { text: delta } });
            return;
          }
          held += delta;
          // blanks alone take the place of nothing
          if (said === '' || held.trim() !== '') firstText(held);
        },
        onReasoning: thoughts.begin(),
      };
    },

    /** Takes what a call has said in the end. */
    take({ text, stopReason }: Pick<Generation, 'text' | 'stopReason'>): void {
      const part = text.trim();
      if (part !== '') said = goesOn && said !== '' ? `${said}${BETWEEN_PARTS}${part}` : part;
      goesOn = stopReason === 'pause';
    },
  };
}
