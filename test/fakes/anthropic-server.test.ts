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

async function post(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-api-key': 'test-key',
      'anthropic-version': '2026-10-21',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
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

  it('refuses a wrong key and a missing version', async () => {
    expect((await post(valid, { 'x-api-key': 'wrong' })).status).toBe(401);
    expect((await post(valid, { 'anthropic-version': '2023-06-01' })).status).toBe(400);
  });
});
