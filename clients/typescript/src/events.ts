/** An event of a stream; `data` is parsed. */
export interface StreamEvent {
  id: number;
  event: string;
  data: unknown;
}

// by line feeds alone: a pattern would also end a line at U+2028, which JSON has in its texts as it is
const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

/**
 * The events of a `text/event-stream` as they come. Comments, which say that the other side is alive, are told as null.
 *
 * @param body bytes in UTF-8
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent | null> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [event, data] = [fieldOf(block, 'event'), fieldOf(block, 'data')];
        if (event === undefined || data === undefined) yield null;
        else yield { id: Number(fieldOf(block, 'id') ?? 0), event, data: JSON.parse(data) };
      }
    }
  } finally {
    // who stops reading lets the connection go
    await reader.cancel().catch(() => undefined);
  }
}
