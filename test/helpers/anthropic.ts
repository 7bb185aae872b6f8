import { afterEach, expect } from 'vitest';
import { createAnthropicModel } from '../../src/llm/anthropic.ts';
import { type GenerateRequest, ModelError } from '../../src/llm/model.ts';
import type { Effort } from '../../src/llm/models.ts';
import { type FakeAnthropic, type Scripted, startFakeAnthropic } from '../fakes/anthropic-server.ts';

const RETRY = { attempts: 4, minDelayMs: 1, maxDelayMs: 5 };
const servers: FakeAnthropic[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A model whose provider is a server here that gives the replies in their order; it ends with the test. */
export async function startModel(
  replies: Scripted[] | ((index: number) => Scripted),
  options: {
    timeoutMs?: number;
    retry?: typeof RETRY;
    model?: string;
    modelSetting?: string;
    effort?: Effort;
  } = {},
) {
  const fake = await startFakeAnthropic({
    reply: (_, index) => (Array.isArray(replies) ? (replies[index] ?? { text: 'spare' }) : replies(index)),
  });
  servers.push(fake);
  const connection = { apiKey: 'test-key', baseUrl: fake.url, model: 'claude-haiku-4-5' };
  return { fake, model: createAnthropicModel({ ...connection, timeoutMs: 5_000, retry: RETRY, ...options }) };
}

/** The least that a model can be asked, and what a test adds to it. */
export function ask(extra: Partial<GenerateRequest> = {}): GenerateRequest {
  return {
    system: [{ text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    facts: { task: 'summarise', kind: 'turn', text: 'Hello' },
    maxOutputTokens: 100,
    ...extra,
  };
}

/** The `ModelError` that a call ends with. */
export async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}
