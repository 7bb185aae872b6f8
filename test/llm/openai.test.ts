import { describe, expect, it } from 'vitest';
import { ask } from '../helpers/anthropic.ts';
import { startChatModel as start } from '../helpers/openai.ts';

const SCHEMA = {
  type: 'object',
  properties: { probe: { type: 'string' } },
  required: ['probe'],
  additionalProperties: false,
};

describe('what is sent', () => {
  it('is the conversation in the form of chat completions', async () => {
    const { fake, model } = await start([{ text: 'ok' }]);
    await model.generate(
      ask({
        system: [{ text: 'Stable.', cache: true }, { text: ' ' }, { text: 'Changing.' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Look.', cache: true }] },
          {
            role: 'assistant',
            content: [
              { type: 'reasoning', opaque: { reasoning_content: 'Hm.' } },
              { type: 'tool_call', id: 't1', name: 'look_up', input: { q: 1 } },
              { type: 'tool_call', id: 't2', name: 'look_up', input: '{"q":' },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', id: 't1', content: 'found', isError: false },
              { type: 'tool_result', id: 't2', content: 'not JSON', isError: true },
              { type: 'text', text: 'Go on.' },
            ],
          },
        ],
        tools: [
          { name: 'look_up', description: 'Looks up.', inputSchema: { type: 'object', properties: {} } },
        ],
        toolChoice: 'none',
      }),
    );
    const call = (id: string, args: string) => ({
      id,
      type: 'function',
      function: { name: 'look_up', arguments: args },
    });
    expect(fake.requests).toEqual([
      {
        model: 'qwen3',
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 100,
        messages: [
          { role: 'system', content: 'Stable.\n\nChanging.' },
          { role: 'user', content: 'Look.' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [call('t1', '{"q":1}'), call('t2', '{"invalid_input":"{\\"q\\":"}')],
            reasoning_content: 'Hm.',
          },
          { role: 'tool', tool_call_id: 't1', content: 'found' },
          { role: 'tool', tool_call_id: 't2', content: 'Error: not JSON' },
          { role: 'user', content: 'Go on.' },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'look_up',
              description: 'Looks up.',
              parameters: { type: 'object', properties: {} },
            },
          },
        ],
        tool_choice: 'none',
      },
    ]);
  });

  it('has the key where there is one', async () => {
    const { model } = await start([{ text: 'ok' }], { apiKey: 'k', serverKey: 'k' });
    expect((await model.generate(ask())).text).toBe('ok');
  });

  it('holds the reply to a schema', async () => {
    const { fake, model } = await start([{ text: '{"probe":"x"}' }]);
    expect((await model.generate(ask({ outputSchema: SCHEMA }))).text).toBe('{"probe":"x"}');
    expect(fake.requests[0]?.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'reply', strict: true, schema: SCHEMA },
    });
  });
});

describe('a server that does not know all of the API', () => {
  it('is asked for the schema in words, once it has refused it', async () => {
    const reply = { text: '<think>Hm.</think>\n```json\n{"probe":"x"}\n```' };
    const { fake, model } = await start([reply, reply], {}, ({ response_format: format }) =>
      format ? `'response_format' of type ${format.type} is not supported` : undefined,
    );
    for (let i = 0; i < 2; i += 1) {
      expect((await model.generate(ask({ outputSchema: SCHEMA }))).text).toBe('{"probe":"x"}');
    }
    expect(fake.requests).toHaveLength(2);
    expect(fake.requests[0]?.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
  });

  it('is understood by all requests that it refuses at the same time', async () => {
    const replies = Array.from({ length: 4 }, () => ({ text: 'Yes.' }));
    const { model } = await start(replies, {}, ({ max_completion_tokens: limit }) =>
      limit === undefined
        ? "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        : undefined,
    );
    const answers = await Promise.all(replies.map(() => model.generate(ask({}))));
    expect(answers.map(({ text }) => text)).toEqual(['Yes.', 'Yes.', 'Yes.', 'Yes.']);
  });

  it.each([
    ['a fence that never closes', `\`\`\`json${'\n'.repeat(50_000)}`],
    ['thoughts that never end', `${'<think>'.repeat(20_000)}{"probe":"x"}`],
  ])('is read in one pass where it writes %s', async (_, text) => {
    const { model } = await start([{ text }], {}, ({ response_format: format }) =>
      format ? `'response_format' of type ${format.type} is not supported` : undefined,
    );
    expect((await model.generate(ask({ outputSchema: SCHEMA }))).text).toBe(text.trim());
  });

  it('is asked for JSON where it knows that much', async () => {
    const { fake, model } = await start([{ text: '{"probe":"x"}' }], {}, ({ response_format: format }) =>
      format?.type === 'json_schema' ? 'This response_format type is unavailable now' : undefined,
    );
    await model.generate(ask({ outputSchema: SCHEMA }));
    expect(fake.requests[0]?.response_format).toEqual({ type: 'json_object' });
  });

  it('is told the limit of output in the name that it knows, and not asked for the usage', async () => {
    const { fake, model } = await start([{ text: 'ok' }], {}, (request) =>
      request.max_tokens !== undefined
        ? "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        : request.stream_options
          ? 'Unknown parameter: stream_options'
          : undefined,
    );
    const { usage } = await model.generate(ask());
    expect(fake.requests[0]).toMatchObject({ max_completion_tokens: 100 });
    expect(usage.isEstimated).toBe(true);
  });
});

describe('what is received', () => {
  it('is handed on as it comes, and returned whole with usage and model', async () => {
    const usage = {
      prompt_tokens: 240,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 200 },
      completion_tokens_details: { reasoning_tokens: 4 },
    };
    const { model } = await start([{ text: ['Hel', 'lo ', 'there'], usage }]);
    const deltas: string[] = [];
    const generation = await model.generate(ask({ onText: (delta) => deltas.push(delta) }));
    expect(deltas).toEqual(['Hel', 'lo ', 'there']);
    expect(generation).toEqual({
      text: 'Hello there',
      toolCalls: [],
      parts: [{ type: 'text', text: 'Hello there' }],
      stopReason: 'end_turn',
      usage: { inputTokens: 240, cachedTokens: 200, cacheWriteTokens: 0, outputTokens: 7, thinkingTokens: 4 },
      model: 'qwen3',
    });
  });

  it.each(['reasoning', 'reasoning_content'] as const)(
    'has thoughts in %s, which go back in it',
    async (member) => {
      const { model } = await start([{ thoughts: { member, pieces: ['Who ', 'is it?'] }, text: 'Dana.' }]);
      const heard: string[] = [];
      const { text, parts } = await model.generate(ask({ onReasoning: (delta) => heard.push(delta) }));
      expect([text, heard]).toEqual(['Dana.', ['Who ', 'is it?']]);
      expect(parts[0]).toEqual({ type: 'reasoning', opaque: { [member]: 'Who is it?' } });
    },
  );

  it('counts what the server does not count, and says so', async () => {
    const { model } = await start([{ text: 'Hello there', usage: null }]);
    const { usage } = await model.generate(ask());
    expect(usage).toMatchObject({ outputTokens: 2, isEstimated: true });
    expect(usage.inputTokens).toBeGreaterThan(3);
  });

  const piece = (index: number | undefined, args: string, id?: string, name?: string) => ({
    ...(index !== undefined && { index }),
    ...(id !== undefined && { id, type: 'function' }),
    function: { ...(name !== undefined && { name }), arguments: args },
  });
  it.each<[string, object[]]>([
    [
      'in pieces',
      [
        piece(0, '', 'c1', 'note'),
        piece(0, '{"a"'),
        piece(0, ':1}'),
        piece(1, '{', 'c2', 'end'),
        piece(1, '}'),
      ],
    ],
    ['whole, all of one index', [piece(0, '{"a":1}', 'c1', 'note'), piece(0, '{}', 'c2', 'end')]],
    ['without an index', [piece(undefined, '{"a":1}', 'c1', 'note'), piece(undefined, '', 'c2', 'end')]],
  ])('has tool calls %s', async (_, toolCalls) => {
    const { model } = await start([{ text: 'One moment.', toolCalls, finishReason: 'stop' }]);
    const generation = await model.generate(ask());
    expect(generation.stopReason).toBe('tool_use');
    expect(generation.toolCalls).toEqual([
      { type: 'tool_call', id: 'c1', name: 'note', input: { a: 1 } },
      { type: 'tool_call', id: 'c2', name: 'end', input: {} },
    ]);
  });

  it('keeps input that is not JSON as text, and names calls that have no id', async () => {
    const { model } = await start([{ toolCalls: [piece(0, '{"field": "pro', undefined, 'note')] }]);
    expect((await model.generate(ask())).toolCalls).toEqual([
      { type: 'tool_call', id: 'call_1', name: 'note', input: '{"field": "pro' },
    ]);
  });

  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['eos', 'end_turn'],
  ])('maps the finish reason %s to %s', async (finishReason, expected) => {
    const { model } = await start([{ text: 'x', finishReason }]);
    expect((await model.generate(ask())).stopReason).toBe(expected);
  });

  it('takes a refusal for one', async () => {
    const { model } = await start([{ refusal: 'I cannot help with that.' }]);
    expect(await model.generate(ask())).toMatchObject({
      stopReason: 'refusal',
      text: 'I cannot help with that.',
    });
  });
});
