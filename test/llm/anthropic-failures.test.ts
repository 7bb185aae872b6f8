import { describe, expect, it, vi } from 'vitest';
import type { Scripted } from '../fakes/anthropic-server.ts';
import { ask, failure, startModel } from '../helpers/anthropic.ts';
import { SILENCE_MS, silences } from '../helpers/silence.ts';

describe('failures before any text', () => {
  it.each<[string, Scripted]>([
    ['a rate limit', { status: 429 }],
    ['overload', { status: 529 }],
    ['a server error', { status: 500 }],
    ['a broken connection', 'hang_up'],
    ['a stream that breaks before its text', { ending: 'cut' }],
    ['a stream that reports overload', { ending: 'overloaded' }],
    ['a stream with broken JSON', { ending: 'broken_json' }],
  ])('are tried again: %s', async (_, fault) => {
    const { fake, model } = await startModel([fault, fault, { text: 'at last' }]);
    const deltas: string[] = [];
    const generation = await model.generate(ask({ onText: (delta) => deltas.push(delta) }));
    expect(generation.text).toBe('at last');
    expect(deltas.join('')).toBe('at last');
    expect(fake.requests).toHaveLength(3);
  });

  it('end as unavailable after the last try, with what the provider asked for', async () => {
    const { fake, model } = await startModel(() => ({ status: 529, message: 'Overloaded', retryAfter: '9' }));
    const error = await failure(model.generate(ask()));
    expect(error).toMatchObject({ reason: 'unavailable', status: 529, retryAfterSeconds: 9 });
    expect(error.message).toContain('Overloaded');
    expect(fake.requests).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 413])('are final when the provider refuses (%i)', async (status) => {
    const { fake, model } = await startModel([{ status, message: 'no' }]);
    expect(await failure(model.generate(ask()))).toMatchObject({ reason: 'rejected', status });
    expect(fake.requests).toHaveLength(1);
  });

  it.each([
    [401, /does not accept the service's key.* ANTHROPIC_API_KEY /],
    [403, /key use the model "claude-haiku-4-5"\. ANTHROPIC_API_KEY .* ROUTER_MODEL /],
    [404, /model "claude-haiku-4-5", or has retired it\. ROUTER_MODEL /],
  ])('say which setting is to be changed, and nothing else of the provider (%i)', async (status, advice) => {
    const { model } = await startModel([{ status, message: 'hunter2' }], { modelSetting: 'ROUTER_MODEL' });
    const error = await failure(model.generate(ask()));
    expect(error.advice).toMatch(advice);
    expect(error.advice).not.toMatch(/hunter2|test-key/);
  });

  it('blame no setting for a refusal of the request', async () => {
    const { model } = await startModel([{ status: 400, message: 'no' }]);
    expect((await failure(model.generate(ask()))).advice).toBeUndefined();
  });

  it('are final for a request that the API does not take', async () => {
    const { model } = await startModel([]);
    const message = { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'x' }] };
    const error = await failure(model.generate(ask({ messages: [message] })));
    expect(error).toMatchObject({ reason: 'rejected', status: 400 });
    expect(error.message).toContain('roles must alternate');
  });

  it('end as a timeout when the model stays silent twice', async () => {
    const silence = silences();
    const { fake, model } = await startModel(() => 'no_answer', { timeoutMs: SILENCE_MS });
    const ended = failure(model.generate(ask()));
    for (const times of [1, 2]) await silence(() => fake.requests.length, times);
    expect((await ended).reason).toBe('timeout');
    expect(fake.requests).toHaveLength(2);
  });
});

describe('failures after text was handed on', () => {
  it.each(['cut', 'overloaded', 'broken_json'] as const)('are not replayed: %s', async (ending) => {
    const { fake, model } = await startModel([{ text: ['Once ', 'upon '], ending }]);
    const deltas: string[] = [];
    const error = await failure(model.generate(ask({ onText: (delta) => deltas.push(delta) })));
    expect(error.reason).toBe('unavailable');
    expect(deltas).toEqual(['Once ', 'upon ']);
    expect(fake.requests).toHaveLength(1);
  });

  it('are tried again where nobody saw the text', async () => {
    const { fake, model } = await startModel([{ text: ['Once '], ending: 'cut' }, { text: 'whole' }]);
    expect((await model.generate(ask())).text).toBe('whole');
    expect(fake.requests).toHaveLength(2);
  });

  it('end as a timeout when the stream goes silent', async () => {
    const silence = silences();
    const { fake, model } = await startModel([{ text: ['Once '], ending: 'silence' }], {
      timeoutMs: SILENCE_MS,
    });
    const onText = vi.fn();
    const ended = failure(model.generate(ask({ onText })));
    await silence(() => onText.mock.calls.length, 1);
    expect((await ended).reason).toBe('timeout');
    expect(fake.requests).toHaveLength(1);
  });
});

describe('what a try has used that broke off', () => {
  const usage = { input_tokens: 70, cache_read_input_tokens: 20, cache_creation_input_tokens: 10 };
  /** Told with the name of the model that the reply was begun by. */
  const lost = (outputTokens: number) => [
    { inputTokens: 100, cachedTokens: 20, cacheWriteTokens: 10, outputTokens },
    'claude-haiku-4-5',
  ];

  it('is told of each, and apart from what the reply has used', async () => {
    const { model } = await startModel([
      { text: 'Once', usage, ending: 'cut' },
      { status: 529 },
      { text: 'Twice', usage, ending: 'overloaded' },
      { text: 'whole', usage: { ...usage, output_tokens: 5 } },
    ]);
    const onLost = vi.fn();
    expect((await model.generate(ask({ onLost }))).usage.outputTokens).toBe(5);
    expect(onLost.mock.calls).toEqual([lost(1), lost(1)]);
  });

  it.each(['cut', 'silence', 'broken_json'] as const)('is told of one that is final: %s', async (ending) => {
    const silence = silences();
    const { model } = await startModel([{ text: ['Once'], usage, ending }], { timeoutMs: SILENCE_MS });
    const [onLost, onText] = [vi.fn(), vi.fn()];
    const ended = failure(model.generate(ask({ onText, onLost })));
    if (ending === 'silence') await silence(() => onText.mock.calls.length, 1);
    await ended;
    expect(onLost.mock.calls).toEqual([lost(1)]);
  });

  it('is told of one that its caller gives up', async () => {
    const { model } = await startModel([{ text: ['Once'], usage, ending: 'silence' }]);
    const controller = new AbortController();
    const onLost = vi.fn();
    const onText = () => controller.abort();
    await failure(model.generate(ask({ signal: controller.signal, onText, onLost })));
    expect(onLost.mock.calls).toEqual([lost(1)]);
  });

  it('is nothing where the provider has counted nothing', async () => {
    const { model } = await startModel([{ status: 529 }, 'hang_up', { text: 'whole' }]);
    const onLost = vi.fn();
    await model.generate(ask({ onLost }));
    expect(onLost).not.toHaveBeenCalled();
  });
});

describe('aborting', () => {
  it('ends a running stream', async () => {
    const { fake, model } = await startModel([{ text: ['Once '], ending: 'silence' }]);
    const controller = new AbortController();
    const call = model.generate(ask({ signal: controller.signal, onText: () => controller.abort() }));
    expect((await failure(call)).reason).toBe('aborted');
    expect(fake.requests).toHaveLength(1);
  });

  it('ends a request that is not answered', async () => {
    const controller = new AbortController();
    const { model } = await startModel(() => {
      setImmediate(() => controller.abort());
      return 'no_answer';
    });
    expect((await failure(model.generate(ask({ signal: controller.signal })))).reason).toBe('aborted');
  });

  it('ends the wait that Retry-After asked for', async () => {
    const controller = new AbortController();
    const { fake, model } = await startModel(
      () => {
        setTimeout(() => controller.abort(), 50);
        return { status: 429, retryAfter: '60' };
      },
      { retry: { attempts: 4, minDelayMs: 1, maxDelayMs: 60_000 } },
    );
    expect((await failure(model.generate(ask({ signal: controller.signal })))).reason).toBe('aborted');
    expect(fake.requests).toHaveLength(1);
  });

  it('sends nothing when it was aborted before', async () => {
    const { fake, model } = await startModel([]);
    const call = model.generate(ask({ signal: AbortSignal.abort() }));
    expect((await failure(call)).reason).toBe('aborted');
    expect(fake.requests).toHaveLength(0);
  });
});
