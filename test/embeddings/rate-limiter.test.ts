import { beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingError, type EmbeddingWait } from '../../src/embeddings/model.ts';
import { createRateLimiter, NO_LIMITS } from '../../src/embeddings/rate-limiter.ts';
import type { RateLimits } from '../../src/embeddings/rate-meter.ts';

const SECOND = 1_000;
const DAY = 24 * 3_600 * SECOND;

let now: number;
let alarms: { at: number; work: () => void }[];
beforeEach(() => {
  now = 0;
  alarms = [];
});
const clock = {
  now: () => now,
  after: (ms: number, work: () => void) => {
    const alarm = { at: now + ms, work };
    alarms.push(alarm);
    return () => {
      alarms = alarms.filter((other) => other !== alarm);
    };
  },
};

/** Lets the time pass, and everything happen that is due meanwhile. */
async function pass(ms: number): Promise<void> {
  const end = now + ms;
  for (;;) {
    const [next] = alarms.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
    if (!next) break;
    alarms = alarms.filter((other) => other !== next);
    now = next.at;
    next.work();
    await settled();
  }
  now = end;
  await settled();
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function start(limits: Partial<RateLimits>) {
  const limiter = createRateLimiter({ ...NO_LIMITS, ...limits }, clock);
  const entered: string[] = [];
  const waits: Record<string, EmbeddingWait> = {};
  const failures: Record<string, unknown> = {};
  const leaving: Record<string, () => void> = {};
  return {
    limiter,
    entered,
    waits,
    failures,
    leave: (name: string) => leaving[name]?.(),
    ask(name: string, options: { query?: boolean; tokens?: number; signal?: AbortSignal } = {}) {
      const { query = false, tokens = 1, signal } = options;
      const inputType = query ? 'query' : 'document';
      void limiter
        .enter({ inputType, tokens, signal, onWait: (wait) => Object.assign(waits, { [name]: wait }) })
        .then((leave) => {
          entered.push(name);
          leaving[name] = leave;
        })
        .catch((error: unknown) => Object.assign(failures, { [name]: error }));
      return settled();
    },
  };
}

describe('createRateLimiter', () => {
  it('lets everybody in where there are no limits', async () => {
    const { entered, ask } = start({});
    for (let i = 0; i < 50; i += 1) await ask(String(i));
    expect(entered).toHaveLength(50);
  });

  it('lets so many requests in at a time, queries first', async () => {
    const { entered, ask, leave, waits } = start({ concurrency: 1 });
    for (const name of ['a', 'b', 'c']) await ask(name);
    await ask('question', { query: true });
    expect(entered).toEqual(['a']);
    leave('a');
    await settled();
    expect(entered).toEqual(['a', 'question']);
    leave('question');
    await settled();
    expect(entered).toEqual(['a', 'question', 'b']);
    expect(waits).toEqual({});
  });

  it('lets so many requests in within any minute, and tells those that wait', async () => {
    const { entered, ask, waits } = start({ requestsPerMinute: 2 });
    await ask('a');
    await pass(30 * SECOND);
    await ask('b');
    await ask('c');
    expect(entered).toEqual(['a', 'b']);
    expect(waits).toEqual({ c: { seconds: 31, rateLimited: true } });
    await pass(30 * SECOND);
    expect(entered).toEqual(['a', 'b']);
    await pass(SECOND);
    expect(entered).toEqual(['a', 'b', 'c']);
    await ask('d');
    await pass(29 * SECOND);
    expect(entered).not.toContain('d');
  });

  it('counts tokens, and lets in alone what is more than a minute has', async () => {
    const { entered, ask } = start({ tokensPerMinute: 100 });
    await ask('a', { tokens: 60 });
    await ask('b', { tokens: 60 });
    await ask('c', { tokens: 500 });
    expect(entered).toEqual(['a']);
    await pass(61 * SECOND);
    expect(entered).toEqual(['a', 'b']);
    await pass(61 * SECOND);
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  it('puts off what a day has no room for, and says until when', async () => {
    const { entered, ask, failures } = start({ requestsPerDay: 2 });
    for (const name of ['a', 'b', 'c']) await ask(name);
    expect(entered).toEqual(['a', 'b']);
    expect(failures.c).toBeInstanceOf(EmbeddingError);
    expect(failures.c).toMatchObject({ retryable: true, status: 429, isPostponed: true });
    const { retryAfterSeconds = 0 } = failures.c as EmbeddingError;
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(DAY / SECOND);
    await pass(retryAfterSeconds * SECOND);
    await ask('d');
    expect(entered).toContain('d');
  });

  it('holds everybody back while the provider asks for a pause', async () => {
    const { limiter, entered, ask } = start({});
    limiter.pause(5 * SECOND);
    await ask('a');
    await pass(4 * SECOND);
    expect(entered).toEqual([]);
    await pass(SECOND);
    expect(entered).toEqual(['a']);
  });

  it('forgets who gives up, and lets the next one in', async () => {
    const { entered, ask, leave, failures } = start({ concurrency: 1 });
    const controller = new AbortController();
    await ask('a');
    await ask('b', { signal: controller.signal });
    await ask('c');
    controller.abort(new Error('cancelled'));
    await settled();
    expect(failures.b).toMatchObject({ message: 'cancelled' });
    leave('a');
    await settled();
    expect(entered).toEqual(['a', 'c']);
  });
});
