import { describe, expect, it, vi } from 'vitest';
import type { Effort } from '../../src/llm/models.ts';
import { ask, startModel } from '../helpers/anthropic.ts';

describe('what is sent', () => {
  it('is sent without a word on the console, whatever the SDK thinks of the model', async () => {
    const warn = vi.spyOn(console, 'warn');
    const { model } = await startModel([{ text: 'ok' }], { model: 'claude-sonnet-4-5-20250929' });
    expect((await model.generate(ask())).text).toBe('ok');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('streams, and renders system blocks, messages and tools in the form of the API', async () => {
    const { fake, model } = await startModel([{ text: 'ok' }]);
    const tool = {
      name: 'look_up',
      description: 'Looks up.',
      inputSchema: { type: 'object', properties: {} },
    };
    await model.generate(
      ask({
        system: [{ text: 'Stable.', cache: true }, { text: '  ' }, { text: 'Changing.' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: '' },
              { type: 'tool_call', id: 't1', name: 'look_up', input: { q: 1 } },
              { type: 'tool_call', id: 't2', name: 'look_up', input: '{"q":' },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', id: 't1', content: 'found', isError: false },
              { type: 'tool_result', id: 't2', content: 'not JSON', isError: true },
            ],
          },
        ],
        tools: [tool],
      }),
    );
    expect(fake.requests[0]).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 100,
      stream: true,
      system: [
        { type: 'text', text: 'Stable.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Changing.' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 't1', name: 'look_up', input: { q: 1 } },
            { type: 'tool_use', id: 't2', name: 'look_up', input: { invalid_input: '{"q":' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'found', is_error: false },
            { type: 'tool_result', tool_use_id: 't2', content: 'not JSON', is_error: true },
          ],
        },
      ],
      tools: [
        { name: 'look_up', description: 'Looks up.', input_schema: { type: 'object', properties: {} } },
      ],
    });
  });

  it('names the tools, and forbids calling them when asked to', async () => {
    const { fake, model } = await startModel([{ text: 'ok' }, { text: 'ok' }]);
    const tools = [{ name: 'look_up', description: 'Looks up.', inputSchema: { type: 'object' } }];
    await model.generate(ask({ tools, toolChoice: 'none' }));
    await model.generate(ask({ toolChoice: 'none' }));
    expect(fake.requests.map(({ tools: sent, tool_choice }) => [sent?.length, tool_choice])).toEqual([
      [1, { type: 'none' }],
      [undefined, undefined],
    ]);
  });

  it('keeps the last four cache marks, which is what the API takes', async () => {
    const { fake, model } = await startModel([{ text: 'ok' }]);
    const system = [1, 2, 3, 4, 5, 6].map((n) => ({ text: `Block ${n}.`, cache: n !== 3 }));
    await model.generate(ask({ system }));
    const blocks = fake.requests[0]?.system;
    const marks = Array.isArray(blocks) ? blocks.map((block) => block.cache_control !== undefined) : [];
    expect(marks).toEqual([false, true, false, true, true, true]);
  });

  it('asks for structured output in a schema that the API accepts', async () => {
    const { fake, model } = await startModel([{ json: { probe: 'root_cause' } }]);
    const generation = await model.generate(
      ask({
        outputSchema: {
          type: 'object',
          properties: { probe: { type: 'string', maxLength: 40 } },
          required: ['probe'],
        },
      }),
    );
    expect(JSON.parse(generation.text)).toEqual({ probe: 'root_cause' });
    expect(fake.requests[0]?.output_config?.format).toMatchObject({
      type: 'json_schema',
      schema: { type: 'object', additionalProperties: false, required: ['probe'] },
    });
  });
});

describe('what hangs on the model', () => {
  it.each<[string, Effort, object | undefined]>([
    ['claude-sonnet-5-5', 'medium', { effort: 'medium' }],
    ['claude-sonnet-4-6', 'xhigh', undefined],
    ['claude-haiku-4-5', 'low', undefined],
    ['claude-next', 'low', undefined],
  ])('%s is sent the effort %s where it is known to have it', async (name, effort, expected) => {
    const { fake, model } = await startModel([{ text: 'ok' }], { model: name, effort });
    await model.generate(ask());
    expect(fake.requests[0]?.output_config).toEqual(expected);
  });

  it('sends effort beside the form of structured output', async () => {
    const { fake, model } = await startModel([{ json: {} }], { model: 'claude-haiku-5-5', effort: 'low' });
    await model.generate(ask({ outputSchema: { type: 'object', properties: {} } }));
    expect(fake.requests[0]?.output_config).toMatchObject({ effort: 'low', format: { type: 'json_schema' } });
  });

  it('asks for no more tokens than the model can write', async () => {
    const { fake, model } = await startModel([{ text: 'ok' }], { model: 'claude-haiku-4-5-20251001' });
    await model.generate(ask({ maxOutputTokens: 100_000 }));
    expect(fake.requests[0]?.max_tokens).toBe(64_000);
  });
});

describe('what is received', () => {
  it('hands text on as it comes, and returns all of it with usage and model', async () => {
    const { model } = await startModel([
      {
        text: ['Hel', 'lo ', 'there'],
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 200,
          cache_creation_input_tokens: 30,
          output_tokens: 7,
        },
      },
    ]);
    const deltas: string[] = [];
    const generation = await model.generate(ask({ onText: (delta) => deltas.push(delta) }));
    expect(deltas).toEqual(['Hel', 'lo ', 'there']);
    expect(generation).toEqual({
      text: 'Hello there',
      toolCalls: [],
      parts: [{ type: 'text', text: 'Hello there' }],
      stopReason: 'end_turn',
      usage: { inputTokens: 240, cachedTokens: 200, cacheWriteTokens: 30, outputTokens: 7 },
      model: 'claude-haiku-4-5',
    });
  });

  it('reads from the cache what an earlier call wrote to it', async () => {
    const { model } = await startModel(() => ({ text: 'ok' }), { model: 'claude-sonnet-5-5' });
    const request = ask({ system: [{ text: 'A long stable prompt. '.repeat(120), cache: true }] });
    const first = await model.generate(request);
    const second = await model.generate(request);
    expect(first.usage.cacheWriteTokens).toBeGreaterThan(200);
    expect(first.usage.cachedTokens).toBe(0);
    expect(second.usage.cachedTokens).toBe(first.usage.cacheWriteTokens);
    expect(second.usage.inputTokens).toBe(first.usage.inputTokens);
  });

  it('returns tool calls beside the text', async () => {
    const { model } = await startModel([
      {
        text: 'One moment.',
        toolCalls: [
          { id: 'c1', name: 'register_assumption', input: { statement: 'x "y" \\ z', depends_on: ['a1'] } },
          { id: 'c2', name: 'complete_probe' },
        ],
      },
    ]);
    const generation = await model.generate(ask());
    expect(generation.stopReason).toBe('tool_use');
    expect(generation.text).toBe('One moment.');
    expect(generation.toolCalls).toEqual([
      {
        type: 'tool_call',
        id: 'c1',
        name: 'register_assumption',
        input: { statement: 'x "y" \\ z', depends_on: ['a1'] },
      },
      { type: 'tool_call', id: 'c2', name: 'complete_probe', input: {} },
    ]);
  });

  it('keeps input that is not JSON as text, for the tool layer to refuse', async () => {
    const { model } = await startModel([
      { toolCalls: [{ id: 'c1', name: 'update_skeleton', rawInput: '{"field": "pro' }] },
    ]);
    const { toolCalls } = await model.generate(ask());
    expect(toolCalls).toEqual([
      { type: 'tool_call', id: 'c1', name: 'update_skeleton', input: '{"field": "pro' },
    ]);
  });

  it.each([
    ['end_turn', 'end_turn'],
    ['stop_sequence', 'end_turn'],
    ['pause_turn', 'pause'],
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['refusal', 'refusal'],
  ])('maps the stop reason %s to %s', async (stopReason, expected) => {
    const { model } = await startModel([{ text: 'x', stopReason }]);
    expect((await model.generate(ask())).stopReason).toBe(expected);
  });
});
