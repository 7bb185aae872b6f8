import { describe, expect, it, vi } from 'vitest';
import type { ScriptedAnswer } from '../fakes/openai-chat.ts';
import { ask, failure } from '../helpers/anthropic.ts';
import { startChatModel as start } from '../helpers/openai.ts';
import { SILENCE_MS, silences } from '../helpers/silence.ts';

describe('what fails', () => {
  it.each<[string, ScriptedAnswer]>([
    ['a rate limit', { status: 429 }],
    ['a server error', { status: 500 }],
    ['a broken connection', 'hang_up'],
    ['a stream that breaks before its text', { ending: 'cut' }],
    ['a stream that reports an error', { ending: 'error' }],
    ['a stream with broken JSON', { ending: 'broken_json' }],
  ])('is tried again before any text: %s', async (_, fault) => {
    const { fake, model } = await start([fault, fault, { text: 'at last' }]);
    expect((await model.generate(ask({ onText: () => undefined }))).text).toBe('at last');
    expect(fake.requests).toHaveLength(3);
  });

  it.each(['cut', 'error', 'broken_json'] as const)('is not replayed after text: %s', async (ending) => {
    const { fake, model } = await start([{ text: ['Once ', 'upon '], ending }]);
    const onLost = vi.fn();
    const error = await failure(model.generate(ask({ onText: () => undefined, onLost })));
    expect(error.reason).toBe('unavailable');
    expect(fake.requests).toHaveLength(1);
    expect(onLost).toHaveBeenCalledWith(expect.objectContaining({ isEstimated: true }), 'qwen3');
  });

  it('ends as unavailable with what the server asked for', async () => {
    const { model } = await start(() => ({ status: 429, message: 'slow down', retryAfter: '9' }));
    const error = await failure(model.generate(ask()));
    expect(error).toMatchObject({ reason: 'unavailable', status: 429, retryAfterSeconds: 9 });
    expect(error.message).toContain('slow down');
  });

  it('ends as a timeout when the server stays silent', async () => {
    const silence = silences();
    const silent = await start(() => 'no_answer', { timeoutMs: SILENCE_MS });
    const unanswered = failure(silent.model.generate(ask()));
    for (const times of [1, 2]) await silence(() => silent.fake.requests.length, times);
    expect((await unanswered).reason).toBe('timeout');
    expect(silent.fake.requests).toHaveLength(2);
    const stalled = await start([{ text: ['Once '], ending: 'silence' }], { timeoutMs: SILENCE_MS });
    const onText = vi.fn();
    const ended = failure(stalled.model.generate(ask({ onText })));
    await silence(() => onText.mock.calls.length, 1);
    expect((await ended).reason).toBe('timeout');
  });

  it.each<[string, ScriptedAnswer, RegExp]>([
    ['a key that is refused', { status: 401 }, /OPENAI_API_KEY/],
    ['a model that is not allowed', { status: 403 }, /OPENAI_API_KEY .*ROUTER_MODEL/],
    ['a model that is not there', { status: 404 }, /"qwen3".*ROUTER_MODEL .*OPENAI_BASE_URL/],
    ['an empty account', { status: 429, code: 'insufficient_quota' }, /OPENAI_API_KEY/],
    ['a prompt that is too long', { status: 400, code: 'context_length_exceeded' }, /TURN_TOKEN_BUDGET/],
    [
      'a prompt that is too long for llama.cpp',
      { status: 500, message: 'the request exceeds the available context size, try increasing it' },
      /MAX_OUTPUT_TOKENS/,
    ],
  ])('names the setting, is final and says nothing of the server: %s', async (_, fault, advice) => {
    const { fake, model } = await start([fault]);
    const error = await failure(model.generate(ask()));
    expect(error.reason).toBe('rejected');
    expect(error.advice).toMatch(advice);
    expect(error.advice).not.toContain('127.0.0.1');
    expect(fake.requests).toHaveLength(1);
  });

  it('blames no setting for a request that is refused', async () => {
    const { model } = await start([]);
    const message = {
      role: 'assistant' as const,
      content: [{ type: 'tool_call' as const, id: 'a', name: 'b', input: {} }],
    };
    const error = await failure(model.generate(ask({ messages: [message] })));
    expect(error).toMatchObject({ reason: 'rejected', status: 400, advice: undefined });
  });

  it('ends with an abort', async () => {
    const controller = new AbortController();
    const { fake, model } = await start([{ text: ['Once '], ending: 'silence' }]);
    const call = model.generate(ask({ signal: controller.signal, onText: () => controller.abort() }));
    expect((await failure(call)).reason).toBe('aborted');
    expect(fake.requests).toHaveLength(1);
  });
});
