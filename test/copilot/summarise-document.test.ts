import { expect, it } from 'vitest';
import { summariseDocument } from '../../src/copilot/summarise-document.ts';
import { ModelError } from '../../src/llm/model.ts';
import { countTokens } from '../../src/text/tokens.ts';
import { fakeLanguageModel } from '../fakes/language-model.ts';
import { userSideOf } from '../helpers/turns.ts';

const sections = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    breadcrumb: `[Source: long.md > Part ${index}]`,
    text: `Fact number ${index} stands here. ${'Words that fill the section up. '.repeat(200)}`,
    tokens: 1_400,
  }));

const terms = () => {
  const progress: string[] = [];
  return {
    progress,
    signal: new AbortController().signal,
    onUsage: () => undefined,
    onProgress: ({ done, total }: { done: number; total: number }) => void progress.push(`${done}/${total}`),
  };
};

it('reads a document that fits in one call as a whole', async () => {
  const model = fakeLanguageModel(() => ({ text: 'All of it.' }));
  expect(await summariseDocument(model, { filename: 'a.md', sections: sections(2) }, terms())).toBe(
    'All of it.',
  );
  expect(model.requests).toHaveLength(1);
});

it('reads every part of a long one, a few at a time, then the summaries in their order', async () => {
  let running = 0;
  let most = 0;
  const model = fakeLanguageModel(async (request) => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running -= 1;
    return { text: `Says: ${[...userSideOf(request).matchAll(/Fact number \d+/g)].join(', ')}` };
  });
  const asked = terms();
  const summary = await summariseDocument(model, { filename: 'long.md', sections: sections(32) }, asked);
  expect(most).toBeLessThanOrEqual(4);
  expect(asked.progress.at(-1)).toMatch(/^(\d+)\/\1$/);
  const whole = userSideOf(model.requests.at(-1));
  for (const index of [0, 15, 31]) {
    expect(whole).toContain(`Fact number ${index}`);
    expect(summary).toContain(`Fact number ${index}`);
  }
  expect(whole.indexOf('Fact number 3')).toBeLessThan(whole.indexOf('Fact number 30'));
});

it('makes no call where all that it takes are not allowed', async () => {
  const model = fakeLanguageModel(() => ({ text: 'Some of it.' }));
  const planned: { inputTokens: number; outputTokens: number }[] = [];
  const refused = (calls: readonly (typeof planned)[number][]) => planned.push(...calls) < 0;
  const asked = summariseDocument(
    model,
    { filename: 'long.md', sections: sections(32) },
    { ...terms(), mayCall: refused },
  );
  await expect(asked).rejects.toMatchObject({
    code: 'limits_too_low',
    detail: expect.stringContaining('search_in_document'),
  });
  expect(model.requests).toEqual([]);
  await summariseDocument(model, { filename: 'long.md', sections: sections(32) }, terms());
  expect(planned.length).toBeGreaterThanOrEqual(model.requests.length);
  for (const [index, { messages }] of model.requests.entries()) {
    expect(countTokens(JSON.stringify(messages))).toBeLessThanOrEqual(planned[index]?.inputTokens ?? 0);
  }
});

it('fits a document of very many sections, and cuts the one that no call takes', async () => {
  const model = fakeLanguageModel(() => ({ text: 'Some of it.' }));
  const long = { breadcrumb: '[Source: long.md]', text: 'So many words. '.repeat(4_000), tokens: 16_000 };
  await summariseDocument(model, { filename: 'long.md', sections: [long, ...sections(4)] }, terms());
  expect(model.requests).toHaveLength(3);
  expect(countTokens(userSideOf(model.requests[0]))).toBeLessThan(6_100);
});

it('fails with its model, and begins nothing further', async () => {
  const model = fakeLanguageModel(() => {
    throw new ModelError('down', { reason: 'unavailable' });
  });
  await expect(
    summariseDocument(model, { filename: 'long.md', sections: sections(32) }, terms()),
  ).rejects.toMatchObject({ reason: 'unavailable' });
  expect(model.requests.length).toBeLessThanOrEqual(4);
});
