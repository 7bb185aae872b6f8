import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import type { EmbeddingWait } from '../../../src/embeddings/model.ts';
import { createRateLimiter, NO_LIMITS } from '../../../src/embeddings/rate-limiter.ts';
import type { RateLimits } from '../../../src/embeddings/rate-meter.ts';
import { createSharedRates } from '../../../src/services/providers/shared-rates.ts';
import { startFakeVoyage } from '../../fakes/voyage-server.ts';
import { startTestApp } from '../../helpers/app.ts';
import { openTestDatabase } from '../../helpers/database.ts';

let opened: Database;
let statements: number;
let warnings: string[];
let provider: string;
let providers = 0;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());
beforeEach(() => {
  statements = 0;
  warnings = [];
  providers += 1;
  provider = `voyage model-${providers}`;
});

const log = { warn: (_details: object, message: string) => void warnings.push(message) };
const counting = (): Database => ({
  ...opened,
  query: (sql, params) => {
    statements += 1;
    return opened.query(sql, params);
  },
});
/** The database, where it cannot be reached. */
const gone = (): Database => ({
  ...opened,
  query: () => Promise.reject(new Error('gone')),
  transaction: () => Promise.reject(new Error('gone')),
});

/** One instance with a clock that stands still until it is set. */
function instance(limits: Partial<RateLimits>, db: Database = opened) {
  const clock = { ms: 0, now: () => clock.ms, after: () => () => undefined };
  const shared = createSharedRates({ db, log }, provider);
  const limiter = createRateLimiter({ ...NO_LIMITS, ...limits }, clock, shared);
  return {
    clock,
    shared,
    limiter,
    /** `in`, or how many seconds it has to wait at least. */
    async ask(options: { tokens?: number; query?: boolean } = {}): Promise<'in' | number> {
      const given = new AbortController();
      const inputType = options.query ? ('query' as const) : ('document' as const);
      const answer = await new Promise<'in' | number>((resolve, reject) => {
        const onWait = ({ seconds }: EmbeddingWait): void => resolve(seconds);
        limiter
          .enter({ inputType, tokens: options.tokens ?? 1, signal: given.signal, onWait })
          .then(() => resolve('in'), reject);
      });
      // who waits gives up
      given.abort();
      return answer;
    },
  };
}

it('lets instances together send no more requests a minute than one may', async () => {
  const limits = { requestsPerMinute: 5 };
  const both = [instance(limits), instance(limits)];
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => both[index % 2]?.ask()));
  expect(answers.filter((answer) => answer === 'in')).toHaveLength(5);
  for (const seconds of answers.filter((answer) => answer !== 'in')) {
    expect(seconds).toBeGreaterThan(59 - (performance.now() - began) / 1_000);
    expect(seconds).toBeLessThanOrEqual(61);
  }
});

it('counts the tokens of all, and lets a short query in where a long text has no room', async () => {
  const limits = { tokensPerMinute: 1_000 };
  const [here, there] = [instance(limits), instance(limits)];
  expect(await here.ask({ tokens: 600 })).toBe('in');
  const long = there.ask({ tokens: 600 });
  expect(await there.ask({ tokens: 300, query: true })).toBe('in');
  expect(await long).not.toBe('in');
  expect(await here.ask({ tokens: 200 })).not.toBe('in');
});

it('keeps a pause that another instance was asked for', async () => {
  const limits = { requestsPerMinute: 5 };
  const [here, there] = [instance(limits), instance(limits)];
  await here.shared.pause(85_000);
  await here.shared.pause(1_000);
  const seconds = await there.ask();
  expect(seconds).toBeGreaterThan(10);
  expect(seconds).toBeLessThanOrEqual(85);
});

it('hears of a pause without limits, too, by one look a second beside the calls', async () => {
  const here = instance({}, counting());
  for (let count = 0; count < 50; count += 1) expect(await here.ask()).toBe('in');
  expect(statements).toBe(1);
  await instance({}).shared.pause(85_000);
  here.clock.ms = 1_000;
  await expect.poll(() => here.ask()).toBeGreaterThan(10);
  expect(statements).toBe(2);
});

it('goes by what the instance knows itself when the database does not answer', async () => {
  const here = instance({ requestsPerMinute: 2 }, gone());
  expect([await here.ask(), await here.ask(), await here.ask()]).toEqual(['in', 'in', expect.any(Number)]);
  here.limiter.pause(1_000);
  await expect.poll(() => warnings).toHaveLength(3);
});

it('keeps one limit for all instances of the service', async () => {
  const voyage = await startFakeVoyage();
  const settings = {
    VOYAGE_API_KEY: 'test-key',
    VOYAGE_BASE_URL: voyage.url,
    // of a minute some would come back while a busy machine is at it
    EMBEDDING_REQUESTS_PER_DAY: '2',
  };
  // what is shared is so with a server alone
  const db: Database = { ...opened, kind: 'server', close: async () => undefined };
  const start = () => startTestApp({ settings, ownEmbeddings: true, overrides: { db } });
  const instances = [await start(), await start()] as const;
  try {
    await instances[0].call('POST', '/projects', { id: 'p', name: 'P' });
    for (let index = 0; index < 6; index += 1) {
      const file = { [`${index}.md`]: `# ${index}\n\nQuokka ${index} is at home.\n` };
      await instances[index % 2 === 0 ? 0 : 1].upload('p', file, { prefer: 'respond-async' });
    }
    const files = async (): Promise<{ status: string; waiting_on_rate_limit: boolean }[]> =>
      (await instances[0].call('GET', '/projects/p/files')).body.data;
    const isStill = ({
      status,
      waiting_on_rate_limit: isWaiting,
    }: Awaited<ReturnType<typeof files>>[number]) => status === 'completed' || isWaiting;
    await expect.poll(async () => (await files()).filter(isStill).length).toBe(6);
    expect(voyage.requests).toHaveLength(2);
  } finally {
    for (const { close } of instances) await close();
    await voyage.close();
  }
});
