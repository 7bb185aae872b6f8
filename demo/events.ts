/** An event of a turn as it came. */
export interface StreamEvent {
  id: number;
  event: string;
  data: unknown;
}

const ENDS = ['turn.completed', 'turn.failed', 'turn.cancelled'];

export const isEnd = ({ event }: StreamEvent): boolean => ENDS.includes(event);

/** The reply as far as the events tell it: what stands in front of a reset is superseded. */
export function replyOf(events: readonly StreamEvent[]): string {
  const from = events.findLastIndex(({ event }) => event === 'answer.reset') + 1;
  return events.slice(from).map(deltaOf).join('');
}

/** The text of a piece of the answer; empty for any other event. */
export const deltaOf = ({ event, data }: StreamEvent): string =>
  event === 'answer.delta' ? (data as { text: string }).text : '';

function toEvent(block: string): StreamEvent[] {
  const field = (name: string): string | undefined =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  const data = field('data');
  if (data === undefined) return []; // a comment, or the time to wait before coming back
  return [{ id: Number(field('id')), event: field('event') ?? '', data: JSON.parse(data) }];
}

/** The server-sent events of an answer, each as it comes. Leaving the loop closes the connection. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) yield* toEvent(block);
  }
}
