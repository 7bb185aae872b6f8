import { describe, expect, it, vi } from 'vitest';
import { extractOf, summariseFile, summariseTurn } from '../../src/copilot/summarise.ts';
import { ModelError } from '../../src/llm/model.ts';
import { fakeLanguageModel } from '../fakes/language-model.ts';

const { signal } = new AbortController();
const ignore = () => undefined;
const USAGE = { inputTokens: 9, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
const TURN = {
  message: 'We lose leads. Nobody follows up after the fair.',
  response: 'Who owns a lead after the fair? And by when must it be called?',
};

describe('summariseTurn', () => {
  it('takes what the small model says, on one line', async () => {
    const model = fakeLanguageModel(() => ({ text: 'Leads go cold\nafter fairs.' }));
    const onUsage = vi.fn();
    const summary = await summariseTurn(model, TURN, signal, onUsage);
    expect(summary).toEqual({ summary: 'Leads go cold after fairs.', source: 'model' });
    expect(onUsage.mock.calls).toEqual([[expect.objectContaining({ inputTokens: 100 }), 'fake-model']]);
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('Nobody follows up');
  });

  it.each([
    [
      'fails',
      () => {
        throw new ModelError('down', { reason: 'unavailable' });
      },
    ],
    ['refuses', () => ({ text: 'No.', stopReason: 'refusal' as const })],
    ['says nothing', () => ({ text: '  ' })],
  ])('falls back on an extract when the model %s', async (_, script) => {
    const { summary, source } = await summariseTurn(fakeLanguageModel(script), TURN, signal, ignore);
    expect(source).toBe('extract');
    expect(summary).toBe('User: We lose leads. Copilot: Who owns a lead after the fair?');
  });

  it('tells what a call has cost that broke off', async () => {
    const onUsage = vi.fn();
    const model = fakeLanguageModel((request) => {
      request.onLost?.(USAGE, 'fake-model');
      throw new ModelError('down', { reason: 'unavailable' });
    });
    await summariseTurn(model, TURN, signal, onUsage);
    expect(onUsage.mock.calls).toEqual([[USAGE, 'fake-model']]);
  });

  it('leaves out the half that a turn does not have', () => {
    expect(extractOf({ message: '', response: 'Welcome. I am Forge.' })).toBe('Copilot: Welcome.');
    expect(extractOf({ message: 'Hello?', response: '' })).toBe('User: Hello?');
  });

  it('bounds what it sends and what it gives', async () => {
    const model = fakeLanguageModel(() => ({ text: 'word '.repeat(2_000) }));
    const { summary } = await summariseTurn(
      model,
      { message: 'x'.repeat(32_000), response: 'y'.repeat(90_000) },
      signal,
      ignore,
    );
    expect(summary.length).toBeLessThanOrEqual(600);
    expect(JSON.stringify(model.requests[0]?.messages).length).toBeLessThan(17_000);
  });
});

describe('summariseFile', () => {
  it('reads the first 3,000 characters and gives one paragraph', async () => {
    const model = fakeLanguageModel(() => ({ text: 'Quarterly figures.\n\nBy segment.' }));
    const markdown = `${'a'.repeat(2_990)}${'b'.repeat(5_000)}`;
    expect(await summariseFile(model, { filename: 'q3.md', markdown }, signal, ignore)).toBe(
      'Quarterly figures. By segment.',
    );
    const sent = JSON.stringify(model.requests[0]?.messages);
    expect(sent).toContain('a'.repeat(2_990));
    expect(sent).not.toContain('b'.repeat(11));
  });

  it('fails with the model, so that the caller can try again', async () => {
    const down = fakeLanguageModel(() => {
      throw new ModelError('down', { reason: 'unavailable' });
    });
    await expect(summariseFile(down, { filename: 'a', markdown: 'b' }, signal, ignore)).rejects.toThrow(
      ModelError,
    );
    const silent = fakeLanguageModel(() => ({ text: '' }));
    const onUsage = vi.fn();
    const refused = summariseFile(silent, { filename: 'a', markdown: 'b' }, signal, onUsage);
    await expect(refused).rejects.toThrow('model_rejected');
    expect(onUsage).toHaveBeenCalledTimes(1);
  });
});
