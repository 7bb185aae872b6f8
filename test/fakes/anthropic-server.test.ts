import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeAnthropic, startFakeAnthropic } from './anthropic-server.ts';

let server: FakeAnthropic;
beforeAll(async () => {
  server = await startFakeAnthropic({ reply: () => ({ text: 'Hello.' }) });
});
afterAll(() => server.close());

const user = { role: 'user', content: 'Hi' };
const tools = [{ name: 'look', description: 'x', input_schema: { type: 'object' } }];
const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] };
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'found' }] };

/** What the tests read of an answer; `error` where it is one. */
type Reply = { type: string; error: { type: string; message: string } };

async function post(body: unknown, headers: Record<string, string> = {}, url = server.url) {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'test-key',
      'anthropic-version': '2026-10-21',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Reply };
}
const valid = { model: 'claude', max_tokens: 10, messages: [user] };

describe('the fake of the Messages API', () => {
  it('answers without streaming too', async () => {
    const { status, headers, body } = await post(valid);
    expect(status).toBe(200);
    expect(headers.get('request-id')).toMatch(/^req_/);
    expect(body).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
    });
  });

  it('takes a call of a tool with its result', async () => {
    expect((await post({ ...valid, tools, messages: [user, call, result] })).status).toBe(200);
  });

  it.each<[string, object, string]>([
    ['no limit of tokens', { model: 'claude', messages: [user] }, 'max_tokens'],
    ['a sampling parameter', { ...valid, temperature: 0 }, 'temperature: Extra inputs'],
    ['no messages', { ...valid, messages: [] }, 'at least one message'],
    [
      'an assistant first',
      { ...valid, messages: [{ role: 'assistant', content: 'x' }] },
      'roles must alternate',
    ],
    ['a blank text', { ...valid, messages: [{ role: 'user', content: ' ' }] }, 'non-empty'],
    ['a call without its result', { ...valid, tools, messages: [user, call, user] }, 'without `tool_result`'],
    ['a result without its call', { ...valid, tools, messages: [result] }, 'unexpected `tool_use_id`'],
    ['calls without tools', { ...valid, messages: [user, call, result] }, 'must define tools'],
    ['a tool without a schema', { ...valid, tools: [{ name: 'look' }] }, 'input_schema'],
    [
      'an open output schema',
      { ...valid, output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      'additionalProperties',
    ],
  ])('refuses %s', async (_, request, message) => {
    const { status, body } = await post(request);
    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
    expect(JSON.stringify(body)).toContain(message);
  });

  const sonnet = { ...valid, model: 'claude-sonnet-5-5' };
  it.each<[string, object, string]>([
    [
      'a thinking budget',
      { ...sonnet, thinking: { type: 'enabled', budget_tokens: 2_000 } },
      'thinking.type.adaptive',
    ],
    ['thinking turned off', { ...sonnet, thinking: { type: 'disabled' } }, 'between_tools'],
    ['a forced tool', { ...sonnet, tools, tool_choice: { type: 'any' } }, 'are not supported for this model'],
    [
      'a prefill',
      { ...sonnet, messages: [user, { role: 'assistant', content: 'So' }] },
      'assistant message prefill',
    ],
    ['a reply longer than any', { ...sonnet, max_tokens: 128_001 }, '128001 > 128000, which is the maximum'],
    ['a sampling parameter', { ...sonnet, top_p: 0.5 }, 'top_p: Extra inputs'],
    [
      'an effort that the model does not have',
      { ...valid, model: 'claude-haiku-4-5', output_config: { effort: 'low' } },
      'does not support the effort parameter',
    ],
    [
      'five cache marks',
      {
        ...sonnet,
        system: [1, 2, 3, 4, 5].map((n) => ({
          type: 'text',
          text: `${n}`,
          cache_control: { type: 'ephemeral' },
        })),
      },
      'A maximum of 4 blocks',
    ],
  ])('refuses what a model does: %s', async (_, request, message) => {
    const { status, body } = await post(request);
    expect([status, body.error.type]).toEqual([400, 'invalid_request_error']);
    expect(body.error.message).toContain(message);
  });

  it('takes of one model what another refuses', async () => {
    const haiku = { ...valid, model: 'claude-haiku-5-5' };
    expect((await post({ ...haiku, thinking: { type: 'disabled' } })).status).toBe(200);
    expect((await post({ ...haiku, tools, tool_choice: { type: 'any' } })).status).toBe(200);
  });

  it('sends the words of thoughts only where they are asked for', async () => {
    const fake = await startFakeAnthropic({ reply: () => ({ thinking: ['Hm.'], text: 'Hello.' }) });
    const thoughts = async (thinking: object) =>
      (await post({ ...sonnet, ...thinking }, {}, fake.url)).body as unknown as { content: object[] };
    expect((await thoughts({})).content[0]).toMatchObject({ type: 'thinking', thinking: '' });
    const summarized = { thinking: { type: 'adaptive', display: 'summarized' } };
    expect((await thoughts(summarized)).content[0]).toMatchObject({ type: 'thinking', thinking: 'Hm.' });
    await fake.close();
    const old = { ...valid, model: 'claude-haiku-4-5', ...summarized };
    expect((await post(old)).body.error.message).toContain('not supported on this model');
  });

  describe('with thoughts before a call', () => {
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'signature-1_0' };
    const hidden = { type: 'redacted_thinking', data: 'x' };
    const use = { type: 'tool_use', id: 't9', name: 'look', input: {} };
    const answer = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't9', content: 'found' }] };

    it.each<[string, object[], object, string | undefined]>([
      ['as they were', [thought, hidden, use], {}, undefined],
      ['left out', [use], {}, 'cannot be modified'],
      ['in part', [thought, use], {}, 'cannot be modified'],
      ['out of order', [hidden, thought, use], {}, 'cannot be modified'],
      ['in other words', [{ ...thought, thinking: 'Aha.' }, hidden, use], {}, 'cannot be modified'],
      ['unsigned', [{ ...thought, signature: '' }, hidden, use], {}, 'Invalid `signature`'],
      [
        'after another system prompt',
        [thought, hidden, use],
        { system: 'New.' },
        'bound to a different conversation',
      ],
    ])('takes them only as they were: %s', async (_, content, change, message) => {
      const fake = await startFakeAnthropic({
        reply: (_request, index) =>
          index === 0
            ? { thinking: ['Hm.', { redacted: 'x' }], toolCalls: [{ id: 't9', name: 'look' }] }
            : { text: 'Found.' },
      });
      const request = {
        ...sonnet,
        tools,
        system: 'Old.',
        thinking: { type: 'adaptive', display: 'summarized' },
      };
      await post(request, {}, fake.url);
      const messages = [user, { role: 'assistant', content }, answer];
      const { status, body } = await post({ ...request, ...change, messages }, {}, fake.url);
      await fake.close();
      expect(status).toBe(message === undefined ? 200 : 400);
      if (message !== undefined) expect(body.error.message).toContain(message);
    });
  });

  it('refuses a wrong key and a missing version', async () => {
    expect((await post(valid, { 'x-api-key': 'wrong' })).status).toBe(401);
    expect((await post(valid, { 'anthropic-version': '2023-06-01' })).status).toBe(400);
  });
});
