import { afterEach } from 'vitest';
import { createOpenAiModel } from '../../src/llm/openai.ts';
import { type FakeChatServer, type ScriptedAnswer, startFakeChat } from '../fakes/openai-chat.ts';

const RETRY = { attempts: 4, minDelayMs: 1, maxDelayMs: 5 };
const servers: FakeChatServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A model whose server gives the replies in their order; it ends with the test. */
export async function startChatModel(
  replies: ScriptedAnswer[] | (() => ScriptedAnswer),
  options: { timeoutMs?: number; apiKey?: string; serverKey?: string } = {},
  refuses?: Parameters<typeof startFakeChat>[0]['refuses'],
) {
  const fake = await startFakeChat({
    reply: (_, index) => (Array.isArray(replies) ? (replies[index] ?? { text: 'spare' }) : replies()),
    ...(options.serverKey !== undefined && { apiKey: options.serverKey }),
    ...(refuses && { refuses }),
  });
  servers.push(fake);
  const model = createOpenAiModel({
    apiKey: options.apiKey,
    baseUrl: fake.url,
    model: 'qwen3',
    settings: { key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL', model: 'ROUTER_MODEL' },
    timeoutMs: options.timeoutMs ?? 5_000,
    retry: RETRY,
  });
  return { fake, model };
}
