import { call, Refusal, urls } from './api.js';
import { createEventParser } from './sse.js';

/** @typedef {{ event: string, data: any }} TurnEvent */

const EVENTS = { accept: 'text/event-stream' };
const PAUSE_MS = 1_000;
const ENDS = ['turn.completed', 'turn.failed', 'turn.cancelled'];

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
 * The events of a turn, to its end. When the connection breaks it is taken up again after the last event: nothing comes twice,
 * and nothing is missed. A message is sent with a key, so that sending it again says it once.
 *
 * @param {string} project
 * @param {{ message: string } | { turn: number }} what a message to be said, or a turn that is under way
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<TurnEvent>}
 * @throws Refusal
 */
export async function* followTurn(project, what, signal) {
  const key = requestKey();
  let turn = 'turn' in what ? what.turn : null;
  let last = '';

  const connect = () => {
    const headers = { ...EVENTS, ...(last !== '' && { 'last-event-id': last }) };
    if (turn !== null) return call('GET', `${urls.turn(project, turn)}/events`, { headers, signal });
    return call('POST', `${urls.project(project)}/turns`, {
      body: what,
      headers: { ...EVENTS, 'idempotency-key': key },
      signal,
    });
  };

  while (!signal.aborted) {
    try {
      for await (const { id, event, data } of eventsOf(await connect())) {
        const told = { event, data: JSON.parse(data) };
        if (event === 'turn.created') turn = told.data.turn_number;
        last = id;
        yield told;
        if (ENDS.includes(event)) return;
      }
    } catch (error) {
      if (error instanceof Refusal) throw error;
    }
    await pause(signal);
  }
}
