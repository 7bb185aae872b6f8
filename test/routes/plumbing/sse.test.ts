import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endStreams, type ServerEvent, sendEventStream } from '../../../src/routes/plumbing/sse.ts';

let app: FastifyInstance;
let signal: AbortSignal | undefined;
let source: (signal: AbortSignal) => AsyncIterable<ServerEvent>;
beforeEach(() => {
  // the client of a test opens a connection ahead when one was cut
  app = Fastify({ forceCloseConnections: true });
  app.get('/', (request, reply) =>
    sendEventStream(request, reply, (given) => {
      signal = given;
      return source(given);
    }),
  );
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

/** Nothing happens until the stream is ended from outside. */
async function* nothing(until: AbortSignal): AsyncGenerator<ServerEvent> {
  await new Promise<void>((resolve) => {
    until.addEventListener('abort', () => resolve());
  });
}

async function open() {
  const response = await app.inject({ method: 'GET', url: '/', payloadAsStream: true });
  return response.stream().setEncoding('utf8');
}

async function read(stream: Awaited<ReturnType<typeof open>>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

describe('an event stream', () => {
  it('gives a sign of life within 15 s when nothing happens, and ends with its server', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    source = nothing;
    const stream = await open();
    vi.advanceTimersByTime(15_000);
    endStreams(app.server);
    expect(await read(stream)).toBe('retry: 2000\n\n: ping\n\n');
  });

  it('writes an event on one line whatever is in it', async () => {
    source = async function* () {
      yield { id: 1, event: 'answer.delta', data: { text: 'a\r\n\ndata: b\u2028' } };
    };
    expect(await read(await open())).toBe(
      'retry: 2000\n\nid: 1\nevent: answer.delta\ndata: {"text":"a\\r\\n\\ndata: b\u2028"}\n\n',
    );
  });

  it('asks for no more than a client reads, and stops asking when it has gone', async () => {
    let asked = 0;
    source = async function* () {
      for (;;) yield { id: ++asked, event: 'answer.delta', data: { text: 'x'.repeat(10_000) } };
    };
    const client = new AbortController();
    // over a socket, whose buffers are bounded; the answer is never read, and held: one that nobody holds is collected as
    // garbage, and its connection is cut then
    const response = await fetch(await app.listen({ host: '127.0.0.1', port: 0 }), { signal: client.signal });
    let before = -1;
    // it has stopped when two looks in a row see the same
    await expect
      .poll(() => {
        const now = asked;
        const isSame = now > 5 && now === before;
        before = now;
        return isSame;
      })
      .toBe(true);
    expect(signal?.aborted).toBe(false);
    client.abort();
    await expect(response.text()).rejects.toThrow();
    await expect.poll(() => signal?.aborted).toBe(true);
  });

  it('is cut when its source fails, for the client to come back', async () => {
    source = async function* () {
      yield { id: 1, event: 'answer.delta', data: {} };
      throw new Error('hunter2');
    };
    expect(await read(await open())).toBe('retry: 2000\n\nid: 1\nevent: answer.delta\ndata: {}\n\n');
  });
});
