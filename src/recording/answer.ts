import type { Ending, RecordedAnswer } from './recording.ts';

interface SentEvent {
  event: string;
  data: unknown;
}

/** An answer as it is kept: its body as JSON or events where it is that, else as its text. */
export function toRecordedAnswer(response: Response, text: string, ending: Ending): RecordedAnswer {
  const { status, headers } = response;
  const type = headers.get('content-type');
  const about = { ending, status, content_type: type, retry_after: headers.get('retry-after') };
  if (type?.startsWith('text/event-stream')) {
    const events = readEvents(text);
    if (events) return { ...about, events };
  }
  try {
    return { ...about, json: JSON.parse(text) };
  } catch {
    return { ...about, text };
  }
}

/** The answer of a call that had none: it found no connection, or was given up before. */
export const noAnswer = (ending: 'no_connection' | 'given_up'): RecordedAnswer => ({
  ending,
  status: NO_STATUS,
  content_type: null,
  retry_after: null,
});
const NO_STATUS = 0;

/** Null for a text that is not wholly made of events with an `event` and JSON for `data`: it is kept as it is. */
function readEvents(text: string): SentEvent[] | null {
  const events: SentEvent[] = [];
  for (const block of text.split(/\r?\n\r?\n/).filter((part) => part.trim() !== '')) {
    const [, event, data] = /^event: ?(.*)\r?\ndata: ?(.*)$/.exec(block) ?? [];
    if (event === undefined || data === undefined) return null;
    try {
      events.push({ event, data: JSON.parse(data) });
    } catch {
      return null;
    }
  }
  return events;
}

/** The text that an answer's body had. */
function textOf({ events, json, text }: RecordedAnswer): string {
  if (events) {
    return events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  }
  return text ?? JSON.stringify(json) ?? '';
}

/**
 * An answer given again, up to the end that it had.
 *
 * @param signal of the request: an answer that was given up goes on until this one is given up as well
 * @throws TypeError when there was no connection, as `fetch` does, and the signal's reason
 */
export async function replayed(
  answer: RecordedAnswer,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  if (answer.status === NO_STATUS) {
    if (answer.ending === 'given_up' && signal) await aborted(signal);
    throw signal?.aborted ? signal.reason : new TypeError('fetch failed (as it was recorded)');
  }
  const { status, content_type: type, retry_after: retryAfter } = answer;
  const headers = {
    ...(type !== null && { 'content-type': type }),
    ...(retryAfter !== null && { 'retry-after': retryAfter }),
  };
  const text = textOf(answer);
  return new Response(answer.ending === 'complete' ? text : broken(text, answer.ending, signal), {
    status,
    headers,
  });
}

function broken(
  text: string,
  ending: Ending,
  signal: AbortSignal | null | undefined,
): ReadableStream<Uint8Array> {
  const chunks = text === '' ? [] : [new TextEncoder().encode(text)];
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = chunks.shift();
        if (chunk) return controller.enqueue(chunk);
        if (ending === 'given_up' && signal) await aborted(signal);
        controller.error(signal?.aborted ? signal.reason : new TypeError('terminated (as it was recorded)'));
      },
    },
    // an error throws away what nobody has read yet
    { highWaterMark: 0 },
  );
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
