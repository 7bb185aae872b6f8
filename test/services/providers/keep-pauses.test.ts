import { expect, it } from 'vitest';
import { type GenerateRequest, ModelError } from '../../../src/llm/model.ts';
import { keepPauses } from '../../../src/services/providers/keep-pauses.ts';
import { fakeLanguageModel } from '../../fakes/language-model.ts';

const request: GenerateRequest = {
  system: [],
  messages: [],
  facts: { task: 'summarise', kind: 'turn', text: 'Hello' },
  maxOutputTokens: 10,
};

/** Whether a call is sent; one that is held is given up. */
async function isHeld(model: ReturnType<typeof keepPauses>): Promise<boolean> {
  const stop = new AbortController();
  const call = model.generate({ ...request, signal: stop.signal });
  stop.abort();
  const failure = await call.catch((error: unknown) => error);
  return failure instanceof ModelError && failure.reason === 'aborted';
}

it('holds calls while the provider wants none, as this instance was told', async () => {
  const told: number[] = [];
  const fake = fakeLanguageModel(({ onWait }, call) => {
    if (call === 1) onWait?.({ seconds: 40, rateLimited: true });
    else onWait?.({ seconds: 40, rateLimited: false });
    return {};
  });
  const shared = { pause: async (ms: number) => void told.push(ms), pausedMs: async () => 0 };
  const model = keepPauses(fake, shared);
  await model.generate(request);
  await model.generate(request);
  expect(told).toEqual([40_000]);
  expect(await isHeld(model)).toBe(true);
  expect(fake.requests).toHaveLength(2);
});

it('tells whoever is held for how long', async () => {
  const fake = fakeLanguageModel(({ onWait }) => {
    onWait?.({ seconds: 40, rateLimited: true });
    return {};
  });
  const model = keepPauses(fake, undefined);
  await model.generate(request);
  const stop = new AbortController();
  const waits: { seconds: number; rateLimited: boolean }[] = [];
  const call = model.generate({ ...request, signal: stop.signal, onWait: (wait) => waits.push(wait) });
  stop.abort();
  await expect(call).rejects.toThrow(ModelError);
  expect(waits).toEqual([{ seconds: expect.any(Number), rateLimited: true }]);
  expect(waits[0]?.seconds).toBeGreaterThan(30);
});

it('holds them as another instance was told, which it hears of beside its first call', async () => {
  const fake = fakeLanguageModel(() => ({}));
  const model = keepPauses(fake, { pause: async () => undefined, pausedMs: async () => 40_000 });
  await model.generate(request);
  expect(await isHeld(model)).toBe(true);
  expect(fake.requests).toHaveLength(1);
});
