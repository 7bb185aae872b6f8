import type { AnswerEvent } from '../copilot/respond.ts';
import { BETWEEN_PARTS, createThoughts } from '../copilot/thoughts.ts';

/** What the model begins its answer with at the last step when nothing is missing from it; it is not shown. */
export const COMPLETE = '[complete]';

/** A text in front of calls is short as a rule: a longer one is shown as the answer while it is written. */
const LONGEST_PREAMBLE = 240;

type TextEvent = Extract<AnswerEvent, { type: 'reasoning.delta' | 'answer.delta' | 'answer.reset' }>;

/**
 * Tells thoughts from the answer while a model writes. What it says in front of tool calls is a thought; that it is in front
 * of calls shows only when they come, so a beginning is held back, and what was shown too early is taken back.
 */
export function createAgentText(onEvent: (event: TextEvent) => void) {
  const thinking = createThoughts(onEvent);
  let answer = '';

  function say(text: string): void {
    if (text === '') return;
    answer += text;
    onEvent({ type: 'answer.delta', data: { text } });
  }

  return {
    /** The answer as far as it was shown. */
    answer: () => answer,
    say,

    /**
     * Passes on what one call of the model writes.
     *
     * @param notice what an answer begins with that is not whole, at the last step; null: it is not the last step
     */
    listener(notice: string | null) {
      let held = '';
      let isShown = false;
      const think = thinking.begin();
      let thoughts = '';
      let isWhole = notice === null;

      function show(): void {
        let text = held.trimStart();
        if (notice !== null && text.toLowerCase().startsWith(COMPLETE)) {
          isWhole = true;
          text = text.slice(COMPLETE.length).trimStart();
        } else if (notice !== null) text = `${notice}${text}`;
        isShown = true;
        held = '';
        say(text);
      }

      return {
        onText(delta: string): void {
          if (isShown) {
            say(delta);
            return;
          }
          held += delta;
          const enough = notice === null ? LONGEST_PREAMBLE : COMPLETE.length;
          if (held.trimStart().length > enough) show();
        },
        onReasoning(delta: string): void {
          think(delta);
          thoughts += delta;
        },
        /** Tools are called after it: it was a thought. Gives all that was thought. */
        goesOn(text: string): string {
          const said = text.trim();
          if (answer !== '') {
            answer = '';
            onEvent({ type: 'answer.reset', data: { reason: 'superseded' } });
          }
          thinking.begin()(said);
          return [thoughts.trim(), said].filter((part) => part !== '').join(BETWEEN_PARTS);
        },
        /** The provider interrupted it: it goes on where it was. Nothing of it was a thought. */
        pauses(): string {
          if (!isShown && held.trim() !== '') show();
          say(BETWEEN_PARTS);
          return '';
        },
        /** It was the answer; false: the model did not say that it is whole. */
        ends(): boolean {
          if (!isShown && held.trim() !== '') show();
          return isWhole;
        },
      };
    },
  };
}
