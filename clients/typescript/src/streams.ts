import { readEvents, type StreamEvent } from './events.ts';
import { ConnectionError, ForgeError } from './problem.ts';
import { pause, type Sender } from './send.ts';

/** How a stream is followed. */
export interface StreamOptions {
  signal?: AbortSignal;
  /** Number of the last event that was seen; only those after it come. */
  after?: number;
}

/** Breaks in a row, without an event in between, after which a stream is given up. */
const MOST_BREAKS = 8;
/** The service says something every 15 seconds at least. */
const SILENCE_MS = 45_000;

const ACCEPT = { accept: 'text/event-stream' };

/** Turns end by completed, failed and cancelled, runs and files in more ways: whatever is told of the whole, and lets it not go on. */
const isLast = ({ event }: StreamEvent): boolean =>
  /^(turn|run|file)\./.test(event) && !/\.(created|progress)$/.test(event);

/** What is begun, and then followed at a path of its own. */
export interface Begun {
  /** Null: it was begun by another request, and is only followed. */
  begin: { path: string; body: unknown } | null;
  /** Where it is followed; null: the answer's `Location` says it. */
  events: string | null;
}

/**
 * The events of a turn, a run or an ingestion to its last one, however often the connection breaks: what goes on at the service is taken up
 * after the last event that came. Ending the loop ends the listening, not the work.
 *
 * @throws ForgeError what is refused; ConnectionError when the service stays away
 */
export async function* followToTheEnd(
  sender: Sender,
  { begin, events }: Begun,
  { signal, after = 0 }: StreamOptions,
): AsyncGenerator<StreamEvent> {
  let last = after;
  let path = events;
  let breaks = 0;

  async function open(silence: AbortSignal): Promise<Response> {
    const either = signal ? AbortSignal.any([signal, silence]) : silence;
    if (path === null && begin) {
      const response = await sender.send({
        method: 'POST',
        path: begin.path,
        headers: { ...ACCEPT, 'content-type': 'application/json' },
        body: () => JSON.stringify(begin.body),
        isRepeatable: true,
        signal: either,
      });
      path = `${response.headers.get('location')}/events`;
      return response;
    }
    const headers = { ...ACCEPT, 'last-event-id': String(last) };
    return sender.send({ method: 'GET', path: path ?? '', headers, isRepeatable: true, signal: either });
  }

  while (true) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await open(silence.signal);
      if (response.status === 204 || !response.body) return;
      for await (const event of readEvents(response.body)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        if (event === null) continue;
        breaks = 0;
        last = event.id;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // nothing was begun, or the service says no
      if (path === null || error instanceof ForgeError) throw error;
      if (breaks >= MOST_BREAKS) throw error;
    } finally {
      clearTimeout(timer);
    }
    breaks += 1;
    if (breaks > MOST_BREAKS) throw new ConnectionError('The connection broke again and again.');
    await pause(sender.pauseBefore(breaks), signal);
  }
}
