import { describe, expect, it } from 'vitest';
import { ask, startModel } from '../helpers/anthropic.ts';

describe('thoughts', () => {
  const tools = [{ name: 'look_up', description: 'Looks up.', inputSchema: { type: 'object' } }];
  const question = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Who decides?' }] };
  const answerTo = (id: string) => ({
    role: 'user' as const,
    content: [{ type: 'tool_result' as const, id, content: 'Dana', isError: false }],
  });

  it('go back unchanged and in order, the empty and the hidden ones too, and are no part of the text', async () => {
    const { fake, model } = await startModel(
      [
        {
          thinking: ['', { redacted: 'c2VjcmV0' }, 'Who could it be?'],
          text: 'Let me look.',
          updates: ['Now the register.'],
          toolCalls: [{ id: 't1', name: 'look_up' }],
        },
        { thinking: ['Dana, then.'], text: 'Dana decides.' },
      ],
      { model: 'claude-sonnet-5-5' },
    );
    const deltas: string[] = [];
    const thoughts: string[] = [];
    const on = {
      onText: (delta: string) => deltas.push(delta),
      onReasoning: (delta: string) => thoughts.push(delta),
    };
    const first = await model.generate(ask({ tools, messages: [question], ...on }));
    expect(first.text).toBe('Let me look.');
    const second = await model.generate(
      ask({
        tools,
        messages: [question, { role: 'assistant', content: first.parts }, answerTo('t1')],
        toolChoice: 'none',
        ...on,
      }),
    );
    expect(second.text).toBe('Dana decides.');
    expect(deltas.join('')).toBe('Let me look.Dana decides.');
    expect(thoughts.join('')).toBe('Who could it be?\n\nNow the register.Dana, then.');
    expect(fake.requests[1]?.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: '', signature: 'signature-1_0' },
      { type: 'redacted_thinking', data: 'c2VjcmV0' },
      { type: 'thinking', thinking: 'Who could it be?', signature: 'signature-1_2' },
      { type: 'text', text: 'Let me look.' },
      { type: 'thinking', thinking: 'Now the register.', signature: 'signature-1_u0' },
      { type: 'tool_use', id: 't1', name: 'look_up', input: {} },
    ]);
  });

  it.each([
    ['claude-sonnet-5-5', { type: 'adaptive', display: 'summarized' }],
    ['claude-opus-5-5', { type: 'adaptive', display: 'summarized' }],
    ['claude-sonnet-4-6', undefined],
    ['claude-haiku-4-5', undefined],
    ['claude-next', undefined],
  ])('are asked for in words of %s where somebody listens, and it has any', async (name, thinking) => {
    const { fake, model } = await startModel([{ text: 'ok' }, { text: 'ok' }], { model: name });
    await model.generate(ask({ onReasoning: () => undefined }));
    await model.generate(ask());
    expect(fake.requests.map((request) => request.thinking)).toEqual([thinking, undefined]);
  });

  it('are set apart from those of a try that broke off', async () => {
    const { model } = await startModel(
      [
        { thinking: ['Once.'], ending: 'cut' },
        { thinking: ['Twice.'], text: 'x' },
      ],
      {
        model: 'claude-sonnet-5-5',
      },
    );
    const thoughts: string[] = [];
    await model.generate(ask({ onReasoning: (delta) => thoughts.push(delta) }));
    expect(thoughts.join('')).toBe('Once.\n\nTwice.');
  });

  it('are counted where the provider counts them, and not made up where it does not', async () => {
    const usage = { output_tokens: 90, output_tokens_details: { thinking_tokens: 70 } };
    const { model } = await startModel([{ text: 'x', usage }, { text: 'x' }]);
    expect((await model.generate(ask())).usage).toMatchObject({ outputTokens: 90, thinkingTokens: 70 });
    expect((await model.generate(ask())).usage).not.toHaveProperty('thinkingTokens');
  });

  it('do not make an answer of a reply that has nothing else', async () => {
    const { model } = await startModel([{ thinking: ['Hm.'], stopReason: 'max_tokens' }]);
    expect(await model.generate(ask())).toMatchObject({ text: '', toolCalls: [], stopReason: 'max_tokens' });
  });

  it('part two texts, which are then two paragraphs', async () => {
    const { model } = await startModel([{ text: 'One.', updates: ['Hm.'], moreText: 'Two.' }]);
    const deltas: string[] = [];
    const { text } = await model.generate(ask({ onText: (delta) => deltas.push(delta) }));
    expect(text).toBe('One.\n\nTwo.');
    expect(deltas.join('')).toBe(text);
  });

  it('and blocks of a type that is not known yet do no harm', async () => {
    const unknownBlock = { type: 'hologram', text: 'never shown', id: 'x' };
    const { model } = await startModel([{ text: 'Seen.', unknownBlock }]);
    const generation = await model.generate(ask());
    expect(generation.text).toBe('Seen.');
    expect(generation.parts).toEqual([{ type: 'text', text: 'Seen.' }]);
  });
});
