import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followTurn } from '../../inspect/follow.js';

/** What was asked, in order. */
const asked: { method: string; path: string; headers: Record<string, string> }[] = [];

/** One answer after the other: the pieces of a stream, and whether it breaks in the end. */
function answerWith(...answers: { text: string; breaks?: boolean }[]): void {
  vi.stubGlobal('fetch', async (path: string, { method, headers }: (typeof asked)[number]) => {
    asked.push({ method, path, headers });
    const { text = '', breaks } = answers[asked.length - 1] ?? {};
    let isTold = false;
    const body = new ReadableStream({
      pull(controller) {
        if (!isTold && text !== '') controller.enqueue(new TextEncoder().encode(text));
        else if (breaks) controller.error(new TypeError('network error'));
        else controller.close();
        isTold = true;
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
}

const event = (id: number, name: string, data: object) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

async function namesOf(what: Parameters<typeof followTurn>[1]): Promise<string[]> {
  const names: string[] = [];
  for await (const told of followTurn('a b', what, new AbortController().signal)) names.push(told.event);
  return names;
}

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('sessionStorage', { getItem: () => 'the-key' });
  // the pause before another attempt
  vi.stubGlobal('setTimeout', (done: () => void) => queueMicrotask(done));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('goes on after the last event when the stream has ended too early', async () => {
  answerWith(
    { text: event(1, 'turn.created', { turn_number: 7 }) + event(2, 'answer.delta', { text: 'a' }) },
    { text: event(3, 'answer.delta', { text: 'b' }) + event(4, 'turn.completed', { turn_number: 7 }) },
  );
  expect(await namesOf({ message: 'Hello' })).toEqual([
    'turn.created',
    'answer.delta',
    'answer.delta',
    'turn.completed',
  ]);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /projects/a%20b/turns',
    'GET /projects/a%20b/turns/7/events',
  ]);
  expect(asked[1]?.headers).toMatchObject({ 'last-event-id': '2', authorization: 'Bearer the-key' });
});

it('sends a message again under its key when nothing came of it', async () => {
  answerWith({ text: '', breaks: true }, { text: event(1, 'turn.failed', { turn: {} }) });
  expect(await namesOf({ message: 'Hello' })).toEqual(['turn.failed']);
  const keys = asked.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});
