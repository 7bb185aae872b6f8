import { expect, it } from 'vitest';
import { assemble } from '../../../src/copilot/assemble.ts';
import { buildPrompt } from '../../../src/copilot/prompt.ts';
import { ModelError } from '../../../src/llm/model.ts';
import { createProviderHealth } from '../../../src/services/providers/health.ts';
import { watchModel } from '../../../src/services/providers/watch.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { fakeLanguageModel } from '../../fakes/language-model.ts';
import { assembleInput } from '../../helpers/copilot.ts';

it('logs an outage when it begins and when it ends, and counts every failure of it', async () => {
  const logged: [string, object][] = [];
  const log = {
    info: (details: object, message: string) => void logged.push([message, details]),
    warn: (details: object, message: string) => void logged.push([message, details]),
  };
  const health = createProviderHealth(log, () => new Date('2026-03-01T10:00:00Z'));
  const failure = new ModelError('down', { reason: 'unavailable' });
  const model = fakeLanguageModel((_, call) => {
    if (call < 3) throw failure;
    return { text: '{}' };
  });
  const router = watchModel(model, 'route', { health, metrics: createMetrics() });
  const input = assembleInput();
  const ask = () =>
    router.generate({
      ...buildPrompt(assemble(input), input),
      tools: [],
      maxOutputTokens: 10,
      signal: new AbortController().signal,
    });

  for (let call = 0; call < 3; call++) await expect(ask()).rejects.toBe(failure);
  const outage = { phase: 'route', problem: 'unavailable' };
  expect(logged).toEqual([['a provider fails', expect.objectContaining({ ...outage, err: failure })]]);
  expect(health.outages()).toMatchObject([{ ...outage, failures: 3, since: '2026-03-01T10:00:00.000Z' }]);
  await ask();
  expect(logged.at(-1)).toEqual(['a provider answers again', expect.objectContaining({ failures: 3 })]);
  expect(health.outages()).toEqual([]);
  expect(health.failures()).toEqual([{ ...outage, count: 3 }]);
});
