import type { Generation, Message } from '../llm/model.ts';

/*
 * What a large model's rounds of tool calls have in common, whoever runs them: what is sent again, where its cache marks
 * stand, and how much a result may be.
 */

/** More calls in one round than any reply needs: the rest are refused. */
export const MOST_CALLS_A_ROUND = 24;
/** Tokens that the provider's format adds to a tool result, on the safe side. */
export const RESULT_FRAMING = 40;
/** Tokens of one result of a tool that reads, at most: there is room for another. */
export const LONGEST_RESULT = 4_000;
export const LEAST_RESULT = 150;
export const NO_ROOM = 'Not done. There is no room left for what it would give: reply from what you have.';
export const GO_ON = '(You were interrupted. Go on.)';

/** The model has called tools, or was interrupted in what it says. Calls of a reply that was cut off may be cut off themselves. */
export const wantsToGoOn = ({ stopReason, toolCalls, text }: Generation): boolean =>
  toolCalls.length > 0 ? stopReason !== 'max_tokens' : stopReason === 'pause' && text.trim() !== '';

/** The messages, with a note at the end of the last one, which is the user's. */
export function withNote(messages: readonly Message[], note: string): Message[] {
  return messages.map((message, index) =>
    index < messages.length - 1
      ? message
      : { ...message, content: [...message.content, { type: 'text', text: note }] },
  );
}

/** The messages as a round sends them: the last one may not call tools, and nothing follows it. */
export const asSent = (messages: readonly Message[], isLast: boolean): Message[] =>
  isLast ? withoutMarks(messages) : withMark(messages);

/** The messages with a cache mark at their end, which the next round begins with. */
function withMark(messages: readonly Message[]): Message[] {
  return messages.map((message, index) => {
    const part = message.content.at(-1);
    const isResult = part?.type === 'tool_result' || part?.type === 'text';
    if (index < messages.length - 1 || !isResult) return message;
    return { ...message, content: message.content.with(-1, { ...part, cache: true }) };
  });
}

/** The messages without cache marks: what forbids calls is read anew, and nothing follows it that could be read again. */
function withoutMarks(messages: readonly Message[]): Message[] {
  return messages.map((message) => ({
    ...message,
    content: message.content.map((part) => {
      if (part.type !== 'text' && part.type !== 'tool_result') return part;
      const { cache: _, ...unmarked } = part;
      return unmarked;
    }),
  }));
}
