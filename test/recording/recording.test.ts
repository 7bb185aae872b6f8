import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createVoyageModel } from '../../src/embeddings/voyage.ts';
import { createAnthropicModel } from '../../src/llm/anthropic.ts';
import { ModelError } from '../../src/llm/model.ts';
import { openTraffic } from '../../src/recording/open-traffic.ts';
import { openRecorder } from '../../src/recording/record.ts';
import type { Traffic } from '../../src/recording/traffic.ts';
import { type Scripted, startFakeAnthropic } from '../fakes/anthropic-server.ts';
import { startFakeVoyage } from '../fakes/voyage-server.ts';
import { ask } from '../helpers/anthropic.ts';

const RETRY = { attempts: 3, minDelayMs: 1, maxDelayMs: 5 };
const log = { warn: vi.fn(), error: vi.fn() };
let folder: string;
beforeEach(async () => {
  vi.clearAllMocks();
  folder = await mkdtemp(join(tmpdir(), 'forge-recording-'));
});
afterEach(() => rm(folder, { recursive: true }));

const model = (traffic: Traffic, baseUrl?: string, apiKey = 'test-key') =>
  createAnthropicModel({
    apiKey,
    model: 'claude-haiku-4-5',
    timeoutMs: 2_000,
    retry: RETRY,
    fetch: traffic.fetchFor({ provider: 'anthropic', phase: 'answer' }),
    ...(baseUrl !== undefined && { baseUrl }),
  });

const replay = async () => (await openTraffic({ record: undefined, replay: folder }, log)) as Traffic;

/** Records what the calls hear from a server that gives the replies in their order, and ends it. */
async function record(replies: Scripted[], calls: (recorded: ReturnType<typeof model>) => Promise<unknown>) {
  const fake = await startFakeAnthropic({ reply: (_, index) => replies[index] ?? { text: 'spare' } });
  const traffic = (await openTraffic({ record: folder, replay: undefined }, log)) as Traffic;
  const heard = await calls(model(traffic, fake.url));
  await traffic.close();
  await fake.close();
  return heard;
}

const files = async () => (await readdir(folder)).sort();
const contents = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'));

describe('a call that is recorded', () => {
  it('is a file to be read, for its owner alone, without the key', async () => {
    await record([{ text: ['Hel', 'lo'] }], (recorded) => recorded.generate(ask()));
    const [name = '', ...others] = await files();
    expect(others).toEqual([]);
    expect(name).toMatch(/^answer-[\da-f]{20}-001\.json$/);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    const text = await readFile(join(folder, name), 'utf8');
    expect(text).not.toContain('test-key');
    expect(JSON.parse(text)).toMatchObject({
      provider: 'anthropic',
      phase: 'answer',
      request: { method: 'POST', operation: 'messages', body: { model: 'claude-haiku-4-5' } },
      answer: { ending: 'complete', status: 200, content_type: expect.stringContaining('event-stream') },
    });
    const { events } = JSON.parse(text).answer;
    expect(events.map(({ event }: { event: string }) => event)).toContain('message_stop');
    expect(text.split('\n').length).toBeGreaterThan(30);
  });

  it('has a vector on one line', async () => {
    const fake = await startFakeVoyage();
    const traffic = (await openTraffic({ record: folder, replay: undefined }, log)) as Traffic;
    const fetch = traffic.fetchFor({ provider: 'voyage', phase: 'embed' });
    const recorded = createVoyageModel({ apiKey: 'test-key', baseUrl: fake.url, retry: RETRY, fetch });
    const { vectors } = await recorded.embed(['[ 1, 2 ]\n[\n 3 ]'], { inputType: 'document' });
    await traffic.close();
    await fake.close();
    const [name = ''] = await files();
    const text = await readFile(join(folder, name), 'utf8');
    expect(text.split('\n').length).toBeLessThan(60);
    expect(text).toContain(JSON.stringify('[ 1, 2 ]\n[\n 3 ]'));
    const replayed = createVoyageModel({
      apiKey: 'other',
      retry: RETRY,
      fetch: (await replay()).fetchFor({ provider: 'voyage', phase: 'embed' }),
    });
    expect((await replayed.embed(['[ 1, 2 ]\n[\n 3 ]'], { inputType: 'document' })).vectors).toEqual(vectors);
    await expect(replayed.embed(['x'], { inputType: 'document' })).rejects.toMatchObject({
      retryable: false,
      advice: expect.stringContaining('voyage (embed)'),
    });
  });

  it('is left out, and said to be, when its answer is too long or the folder full', async () => {
    const fake = await startFakeAnthropic({ reply: () => ({ text: 'Hello' }) });
    const small = await openRecorder(folder, log, { bytes: 100, calls: 9 });
    expect((await model(small, fake.url).generate(ask())).text).toBe('Hello');
    const full = await openRecorder(folder, log, { bytes: 1_000_000, calls: 1 });
    for (const maxOutputTokens of [1, 2]) await model(full, fake.url).generate(ask({ maxOutputTokens }));
    await full.close();
    await fake.close();
    expect(await files()).toHaveLength(1);
    expect(log.error.mock.calls.map(([, message]) => message)).toEqual([
      expect.stringContaining('too long'),
      expect.stringContaining('full'),
    ]);
  });
});

describe('a call that is replayed', () => {
  it('hears what it heard: failures, breaks and pauses, in their order, the last one for good', async () => {
    const script: Scripted[] = [
      { status: 529, retryAfter: '0' },
      { text: ['Once '], ending: 'cut' },
      { thinking: ['Hm.'], text: ['at ', 'last'], toolCalls: [{ name: 'look', input: { q: 1 } }] },
      { text: ['Half '], ending: 'overloaded' },
    ];
    const deltas: string[] = [];
    const hear = async (from: ReturnType<typeof model>) => {
      deltas.length = 0;
      const whole = await from.generate(ask());
      const broken = from.generate(ask({ onText: (delta) => deltas.push(delta) }));
      const error = await broken.catch((reason: unknown) => reason);
      return {
        whole,
        error: error instanceof ModelError && [error.reason, error.message],
        said: [...deltas],
      };
    };
    const recorded = await record(script, hear);
    expect(await files()).toHaveLength(4);
    const replayed = model(await replay(), 'http://192.0.2.1', 'no key');
    expect(await hear(replayed)).toEqual(recorded);
    await expect(replayed.generate(ask({ onText: () => undefined }))).rejects.toThrow('overloaded');
  });

  it('waits where it was given up, until it is given up again', async () => {
    const giveUp = async (from: ReturnType<typeof model>) => {
      const controller = new AbortController();
      const onText = () => controller.abort();
      return from
        .generate(ask({ signal: controller.signal, onText }))
        .catch((error: unknown) => (error instanceof ModelError ? error.reason : error));
    };
    expect(await record([{ text: ['Once '], ending: 'silence' }], giveUp)).toBe('aborted');
    const [name = ''] = await files();
    expect((await contents(name)).answer.ending).toBe('given_up');
    expect(await giveUp(model(await replay()))).toBe('aborted');
  });

  it('waits for an answer that never came', async () => {
    const call = (from: ReturnType<typeof model>) =>
      from
        .generate(ask({ signal: AbortSignal.timeout(50) }))
        .catch((error: unknown) => (error instanceof ModelError ? error.reason : error));
    expect(await record(['no_answer'], call)).toBe('aborted');
    expect(await files()).toHaveLength(1);
    expect(await call(model(await replay()))).toBe('aborted');
    expect(log.error).not.toHaveBeenCalled();
  });

  it('finds no connection where there was none', async () => {
    const call = (from: ReturnType<typeof model>) =>
      from.generate(ask()).catch((error: unknown) => (error instanceof ModelError ? error.reason : error));
    expect(await record(['hang_up', 'hang_up', 'hang_up'], call)).toBe('unavailable');
    expect(await call(model(await replay()))).toBe('unavailable');
  });

  it('goes by its content, whatever the address, and whatever the time and the random ids in it', async () => {
    const at = (time: string, id: string) =>
      ask({ messages: [{ role: 'user', content: [{ type: 'text', text: `At ${time} ${id}` }] }] });
    const ids = ['0d2f9b1e-0000-4000-8000-000000000001', '0d2f9b1e-0000-4000-8000-000000000002'] as const;
    await record([{ text: 'Hello' }], (from) => from.generate(at('2026-11-22T10:00:00.000Z', ids[0])));
    const replayed = model(await replay(), 'http://192.0.2.1/behind/a/proxy');
    expect((await replayed.generate(at('2027-01-01T00:00:00Z', ids[1]))).text).toBe('Hello');
  });

  it('that was not recorded is refused at once, naming what it is, the nearest, and where they differ', async () => {
    await record([{ text: 'One' }, { text: 'Two' }], async (from) => {
      await from.generate(ask({ system: [{ text: 'Be brief.' }, { text: 'Be kind.' }] }));
      await from.generate(ask({ system: [{ text: 'Be long.' }], maxOutputTokens: 7 }));
    });
    const near = (
      await Promise.all((await files()).map(async (name) => [name, await contents(name)] as const))
    ).find(([, { request }]) => request.body.system.length === 2)?.[0];
    const replayed = model(await replay());
    const error = await replayed
      .generate(ask({ system: [{ text: 'Be brief.' }, { text: 'Be quick.' }] }))
      .catch((reason: unknown) => reason as ModelError);
    expect(error).toMatchObject({ reason: 'rejected' });
    for (const part of ['anthropic (answer)', folder, near, '/system/1/text']) {
      expect((error as ModelError).advice).toContain(part);
    }
    expect(log.error).toHaveBeenCalledTimes(1);
  });

  it('is refused when its file was damaged, naming the file', async () => {
    await record([{ text: 'One' }], (from) => from.generate(ask()));
    const [name = ''] = await files();
    await writeFile(join(folder, name), '{"answer": ');
    await expect(model(await replay()).generate(ask())).rejects.toMatchObject({
      reason: 'rejected',
      advice: expect.stringContaining(join(folder, name)),
    });
  });

  it('says when nothing of its kind was recorded, and when the folder holds nothing at all', async () => {
    await expect(replay()).rejects.toThrow(/no recorded calls/);
    await writeFile(join(folder, 'notes.json'), '{}');
    await expect(replay()).rejects.toThrow(/no recorded calls/);
    await record([{ text: 'One' }], (from) => from.generate(ask()));
    const fetch = (await replay()).fetchFor({ provider: 'anthropic', phase: 'route' });
    const routing = createAnthropicModel({ apiKey: 'k', model: 'claude-haiku-4-5', fetch });
    await expect(routing.generate(ask({ maxOutputTokens: 1 }))).rejects.toMatchObject({
      advice: expect.stringContaining('No call of this kind'),
    });
  });
});
