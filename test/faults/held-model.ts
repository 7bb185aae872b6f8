import { setTimeout as delay } from 'node:timers/promises';
import { openStream } from '../helpers/sse.ts';
import { lastIsToolResult, startProviders } from './providers.ts';

/** Once the service has sent the first words they are there at once, or not for this long; the control waits it out. */
const HELD_BACK_MS = 3_000;
const TERMINAL = /^turn\.(completed|failed|cancelled)$/;

/**
 * A model whose turns have two calls: some words at once, the last ones when it is told to.
 *
 * @param thinkMs before each answer
 */
export async function startHeldModel(thinkMs = 0) {
  const gate = { open: (): void => undefined, opened: Promise.resolve() };
  const asked = { last: (): void => undefined, forLast: Promise.resolve() };
  const providers = await startProviders(async (request) => {
    await delay(thinkMs);
    if (!lastIsToolResult(request)) {
      const input = { field: 'decision_maker', value: 'Dana' };
      return { text: ['First words. '], toolCalls: [{ name: 'update_skeleton', input }] };
    }
    asked.last();
    await gate.opened;
    return { text: 'Last words.' };
  });
  return {
    ...providers,
    close(): Promise<void> {
      gate.open();
      return providers.close();
    },
    hold(): void {
      gate.opened = new Promise((resolve) => {
        gate.open = resolve;
      });
      asked.forLast = new Promise((resolve) => {
        asked.last = resolve;
      });
    },
    /** Resolves when the last words are asked for: the service has sent the first ones by then. */
    askedForLast: (): Promise<void> => asked.forLast,
    release: (): void => gate.open(),
  };
}

export type HeldModel = Awaited<ReturnType<typeof startHeldModel>>;

/** One turn of project `p` through a proxy: whether its first words come before its last ones are said. */
export async function streamOnce(url: string, model: HeldModel) {
  model.hold();
  // a proxy that buffers holds back the headers as well
  const opening = openStream(`${url}/projects/p/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"message":"Dana decides."}',
  });
  const first = opening.then((stream) => stream.until('answer.delta'));
  const words = await Promise.race([
    first.then(() => 'at once'),
    // how long a busy machine takes until then says nothing of the proxy
    model
      .askedForLast()
      .then(() => delay(HELD_BACK_MS))
      .then(() => 'held back'),
  ]);
  model.release();
  const stream = await opening;
  await first; // one reader at a time
  const events = await stream.all();
  const ids = events.map(({ id }) => id);
  return {
    words,
    encoding: stream.response.headers.get('content-encoding') ?? 'none',
    events: events.length,
    last: events.at(-1)?.event ?? 'nothing',
    whole:
      ids.every((id, index) => id === index + 1) &&
      events.filter(({ event }) => TERMINAL.test(event)).length === 1,
  };
}
