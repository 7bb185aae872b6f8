/** An event as a client sees it. */
export interface ReceivedEvent {
  id: number;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  data: any;
}

/** The events of a stream's text, as the HTML standard reads it; comments and fields without an event are left out. */
export function parseEvents(text: string): ReceivedEvent[] {
  return text.split('\n\n').flatMap((block) => {
    const fields = new Map(
      block
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith(':'))
        .map((line) => {
          const [name = '', value = ''] = line.split(/: ?(.*)/s, 2);
          return [name, value] as const;
        }),
    );
    const data = fields.get('data');
    if (data === undefined) return [];
    return [{ id: Number(fields.get('id')), event: fields.get('event') ?? '', data: JSON.parse(data) }];
  });
}

/** A client that reads a stream event by event. */
export async function openStream(url: string, init: RequestInit = {}) {
  const controller = new AbortController();
  const response = await fetch(url, {
    ...init,
    headers: { accept: 'text/event-stream', ...init.headers },
    signal: controller.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: ReceivedEvent[] = [];
  let text = '';
  let read = 0;

  async function more(): Promise<boolean> {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return false;
    text += value;
    const whole = text.lastIndexOf('\n\n') + 2;
    events.push(...parseEvents(text.slice(read, Math.max(read, whole))));
    read = Math.max(read, whole);
    return true;
  }

  return {
    response,
    events,
    raw: () => text,
    /** Reads until an event of this name has come. */
    async until(name: string): Promise<ReceivedEvent> {
      for (;;) {
        const found = events.find(({ event }) => event === name);
        if (found) return found;
        if (!(await more())) throw new Error(`the stream ended without ${name}`);
      }
    },
    /** Reads to the end. */
    async all(): Promise<ReceivedEvent[]> {
      while (await more());
      return events;
    },
    /** Goes away. */
    leave: () => controller.abort(),
  };
}
