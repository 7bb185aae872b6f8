import { call, Refusal, urls } from './api.js';
import { createEventParser } from './sse.js';

/** @typedef {{ event: string, data: any }} Told */

const EVENTS = { accept: 'text/event-stream' };
const PAUSE_MS = 1_000;

/** Whatever is told of the whole, and is not its beginning. @param {string} event */
const isEnd = (event) => /^(turn|run)\./.test(event) && !event.endsWith('.created');

/** Names one request. `randomUUID` is not there on pages that came over plain HTTP from another machine. */
function requestKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {AbortSignal} signal */
const pause = (signal) =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
    signal.addEventListener('abort', resolve, { once: true });
  });

/** @param {Response} response @returns {AsyncGenerator<import('./sse.js').ServerEvent>} */
async function* eventsOf(response) {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  const parse = createEventParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    // whoever stops reading wants no more of it; a stream that broke cannot be cancelled, and need not
    reader.cancel().catch(() => undefined);
  }
}

/**
 * @typedef {object} Work what goes on at the service, and is told as events
 * @property {{ path: string, body: unknown } | null} begin null: it was begun before
 * @property {string | null} at where it is; null: what its first event tells
 * @property {(created: any) => string} addressOf where it is, by its first event
 */

/**
 * The events of a turn or a run, to its end. When the connection breaks it is taken up again after the last event: nothing comes
 * twice, and nothing is missed. It is begun with a key, so that sending that again begins it once.
 *
 * @param {Work} work
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Told>}
 * @throws Refusal
 */
async function* follow({ begin, at, addressOf }, signal) {
  const key = requestKey();
  let address = at;
  let last = '';

  const connect = () => {
    const headers = { ...EVENTS, ...(last !== '' && { 'last-event-id': last }) };
    if (begin === null || address !== null) return call('GET', `${address}/events`, { headers, signal });
    const keyed = { ...EVENTS, 'idempotency-key': key };
    return call('POST', begin.path, { body: begin.body, headers: keyed, signal });
  };

  while (!signal.aborted) {
    try {
      for await (const { id, event, data } of eventsOf(await connect())) {
        const told = { event, data: JSON.parse(data) };
        if (event.endsWith('.created')) address = addressOf(told.data);
        last = id;
        yield told;
        if (isEnd(event)) return;
      }
    } catch (error) {
      if (error instanceof Refusal) throw error;
    }
    await pause(signal);
  }
}

/**
 * @param {string} project
 * @param {{ message: string } | { turn: number }} what a message to be said, or a turn that is under way
 * @param {AbortSignal} signal
 */
export const followTurn = (project, what, signal) =>
  follow(
    {
      begin: 'turn' in what ? null : { path: `${urls.project(project)}/turns`, body: what },
      at: 'turn' in what ? urls.turn(project, what.turn) : null,
      addressOf: ({ turn_number: turn }) => urls.turn(project, turn),
    },
    signal,
  );

/**
 * @param {string} project
 * @param {{ question: string } | { run: string }} what a question to be asked, or a run that is under way
 * @param {AbortSignal} signal
 */
export const followRun = (project, what, signal) =>
  follow(
    {
      begin: 'run' in what ? null : { path: `${urls.project(project)}/research`, body: what },
      at: 'run' in what ? urls.run(project, what.run) : null,
      addressOf: ({ id }) => urls.run(project, id),
    },
    signal,
  );
