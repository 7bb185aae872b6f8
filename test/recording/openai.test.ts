import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOpenAiEmbeddings } from '../../src/embeddings/openai.ts';
import { createOpenAiModel } from '../../src/llm/openai.ts';
import { openTraffic } from '../../src/recording/open-traffic.ts';
import type { Traffic } from '../../src/recording/traffic.ts';
import { startFakeChat } from '../fakes/openai-chat.ts';
import { startFakeEmbeddings } from '../fakes/openai-embeddings.ts';
import { ask, failure } from '../helpers/anthropic.ts';

const log = { warn: vi.fn(), error: vi.fn() };
const NOWHERE = 'http://127.0.0.1:9/v1';
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-recording-'));
});
afterEach(() => rm(folder, { recursive: true }));

const models = (traffic: Traffic, chatUrl: string, embeddingsUrl: string, apiKey?: string) => ({
  chat: createOpenAiModel({
    apiKey,
    baseUrl: chatUrl,
    model: 'qwen3',
    settings: { key: 'LLM_API_KEY', address: 'LLM_BASE_URL', model: 'MODEL_NAME' },
    fetch: traffic.fetchFor({ provider: 'openai', phase: 'answer' }),
  }),
  embeddings: createOpenAiEmbeddings({
    apiKey,
    baseUrl: embeddingsUrl,
    model: 'nomic-embed-text',
    dimensions: 768,
    prefixes: { query: '', document: '' },
    settings: { key: 'EMBEDDING_API_KEY', address: 'EMBEDDING_BASE_URL' },
    fetch: traffic.fetchFor({ provider: 'openai', phase: 'embed' }),
  }),
});

it('records calls to OpenAI-compatible servers without the key, and replays them without a server', async () => {
  const chat = await startFakeChat({ reply: () => ({ text: ['Hel', 'lo'] }), apiKey: 'secret' });
  const embeddings = await startFakeEmbeddings({ apiKey: 'secret' });
  const recorder = (await openTraffic({ record: folder, replay: undefined }, log)) as Traffic;
  const recorded = models(recorder, chat.url, embeddings.url, 'secret');
  const reply = await recorded.chat.generate(ask());
  const vectors = await recorded.embeddings.embed(['churn'], { inputType: 'document' });
  await Promise.all([recorder.close(), chat.close(), embeddings.close()]);
  for (const name of await readdir(folder)) {
    expect(await readFile(join(folder, name), 'utf8')).not.toContain('secret');
  }

  const replay = (await openTraffic({ record: undefined, replay: folder }, log)) as Traffic;
  const replayed = models(replay, NOWHERE, NOWHERE);
  expect(await replayed.chat.generate(ask())).toEqual(reply);
  expect(await replayed.embeddings.embed(['churn'], { inputType: 'document' })).toEqual(vectors);
  const outputSchema = { type: 'object', properties: {}, additionalProperties: false };
  const missing = await failure(replayed.chat.generate(ask({ outputSchema })));
  expect(missing.advice).toContain('is not recorded');
});
