import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { type EncoderLayout, readEncoderFolder } from './embeddings/folder-layout.ts';
import { createLocalModel } from './embeddings/local.ts';
import type { EmbeddingLimits, EmbeddingModel } from './embeddings/model.ts';
import { createNoEmbeddings } from './embeddings/off.ts';
import { createOpenAiEmbeddings } from './embeddings/openai.ts';
import { pulledFolder } from './embeddings/pull-model.ts';
import type { RateLimits } from './embeddings/rate-meter.ts';
import type { SharedRates } from './embeddings/shared-rates.ts';
import { createVoyageModel } from './embeddings/voyage.ts';
import { createAnthropicModel } from './llm/anthropic.ts';
import type { LanguageModel } from './llm/model.ts';
import { createOfflineModel } from './llm/offline.ts';
import { createOpenAiModel } from './llm/openai.ts';
import type { Traffic } from './recording/traffic.ts';
import { readCrossEncoderFolder } from './reranking/folder-layout.ts';
import { createLocalReranker } from './reranking/local.ts';
import type { RerankModel } from './reranking/model.ts';
import { createRerankServer } from './reranking/server.ts';
import { createVoyageReranker } from './reranking/voyage.ts';
import { keepPauses } from './services/providers/keep-pauses.ts';
import { type Watchers, watchModel } from './services/providers/watch.ts';
import { openAiAddress } from './settings/openai.ts';

const requestLimits = (config: Config): Partial<EmbeddingLimits> => ({
  ...(config.EMBEDDING_BATCH_SIZE !== undefined && { inputsPerCall: config.EMBEDDING_BATCH_SIZE }),
  ...(config.EMBEDDING_BATCH_TOKENS !== undefined && { tokensPerCall: config.EMBEDDING_BATCH_TOKENS }),
});

const rateLimits = (config: Config): RateLimits => ({
  requestsPerMinute: config.EMBEDDING_REQUESTS_PER_MINUTE,
  requestsPerDay: config.EMBEDDING_REQUESTS_PER_DAY,
  tokensPerMinute: config.EMBEDDING_TOKENS_PER_MINUTE,
  concurrency: config.EMBEDDING_CONCURRENCY,
});

/** What is shared with other instances of what one asks of a provider; undefined: there are none. */
export type SharedRatesOf = (provider: string, model: string) => SharedRates | undefined;

/** Where pulled models are kept. */
export const modelCache = ({ MODEL_CACHE_DIR, DATA_DIR }: Config): string =>
  MODEL_CACHE_DIR ?? join(DATA_DIR, 'models');

/** The folder of the local model; undefined: none is named, and the built-in encoder is used. */
function localFolder(config: Config): string | undefined {
  const { LOCAL_MODEL: name } = config;
  if (name === undefined) return config.LOCAL_MODEL_DIR;
  const folder = pulledFolder(modelCache(config), name);
  if (existsSync(folder)) return folder;
  throw new Error(`LOCAL_MODEL: ${name} was not pulled yet. Run: npx forge models pull ${name}`);
}

function localLayout(config: Config): EncoderLayout | undefined {
  const folder = localFolder(config);
  if (folder === undefined) return undefined;
  const layout = readEncoderFolder(folder, {
    query: config.EMBEDDING_QUERY_PREFIX,
    document: config.EMBEDDING_DOCUMENT_PREFIX,
  });
  if (config.EMBEDDING_DIMENSIONS !== 0 && config.EMBEDDING_DIMENSIONS !== layout.dimensions) {
    throw new Error(
      `EMBEDDING_DIMENSIONS: ${layout.name} has ${layout.dimensions} dimensions; leave the setting out`,
    );
  }
  return layout;
}

/**
 * The embedding model that the settings name.
 *
 * @throws Error when the folder of a local one cannot be used, with what to do
 */
export function createEmbeddingModel(
  config: Config,
  traffic?: Traffic,
  sharedOf?: SharedRatesOf,
): EmbeddingModel {
  const { EMBEDDING_MODEL: model, EMBEDDING_DIMENSIONS: dimensions } = config;
  const limits = requestLimits(config);
  const rates = rateLimits(config);
  const shared = sharedOf?.(config.embeddingProvider, model);
  switch (config.embeddingProvider) {
    case 'local':
      return createLocalModel({ workers: config.EMBEDDING_WORKERS, layout: localLayout(config) });
    case 'off':
      return createNoEmbeddings();
    case 'voyage':
      return createVoyageModel({
        apiKey: config.VOYAGE_API_KEY ?? '',
        model,
        dimensions,
        limits,
        rates,
        shared,
        ...(traffic && { fetch: traffic.fetchFor({ provider: 'voyage', phase: 'embed' }) }),
        ...(config.VOYAGE_BASE_URL !== undefined && { baseUrl: config.VOYAGE_BASE_URL }),
      });
    case 'openai':
      return createOpenAiEmbeddings({
        ...openAiAddress('EMBEDDING', config),
        model,
        dimensions,
        limits,
        rates,
        shared,
        sendDimensions: config.EMBEDDING_SEND_DIMENSIONS,
        prefixes: { query: config.EMBEDDING_QUERY_PREFIX, document: config.EMBEDDING_DOCUMENT_PREFIX },
        ...(traffic && { fetch: traffic.fetchFor({ provider: 'openai', phase: 'embed' }) }),
      });
  }
}

/**
 * The reranker that the settings name; null: there is none.
 *
 * @throws EncoderFolderError when the folder of a local one cannot be used, with what to do
 */
export function createRerankModel(config: Config, traffic?: Traffic): RerankModel | null {
  const { RERANK_PROVIDER: provider, RERANK_MODEL: model } = config;
  if (provider === 'off') return null;
  if (provider === 'local') {
    return createLocalReranker(readCrossEncoderFolder(config.RERANK_MODEL_DIR ?? ''), config.RERANK_WORKERS);
  }
  const network = traffic && { fetch: traffic.fetchFor({ provider, phase: 'rerank' }) };
  if (provider === 'voyage') {
    return createVoyageReranker({
      apiKey: config.VOYAGE_API_KEY ?? '',
      model,
      ...network,
      ...(config.VOYAGE_BASE_URL !== undefined && { baseUrl: config.VOYAGE_BASE_URL }),
    });
  }
  return createRerankServer({
    dialect: provider,
    model,
    apiKey: config.RERANK_API_KEY,
    baseUrl: config.RERANK_BASE_URL,
    batchSize: config.RERANK_BATCH_SIZE,
    ...network,
  });
}

/** What language models are for, with the settings that name them. */
const MODEL_SETTINGS = {
  answer: { model: 'MODEL_NAME', effort: 'ANSWER_EFFORT' },
  route: { model: 'ROUTER_MODEL', effort: 'ROUTER_EFFORT' },
  summary: { model: 'TURN_SUMMARY_MODEL', effort: 'SUMMARY_EFFORT' },
} as const;
type ModelPurpose = keyof typeof MODEL_SETTINGS;

/** The language model that the settings name for a purpose. */
export function createLanguageModel(
  config: Config,
  phase: ModelPurpose,
  traffic: Traffic | undefined,
): LanguageModel {
  const settings = MODEL_SETTINGS[phase];
  const model = config[settings.model];
  const timeoutMs = config.MODEL_TIMEOUT_SECONDS * 1000;
  switch (config.languageModelProvider) {
    case 'offline':
      return createOfflineModel();
    case 'anthropic':
      return createAnthropicModel({
        apiKey: config.ANTHROPIC_API_KEY ?? '',
        model,
        modelSetting: settings.model,
        effort: config[settings.effort],
        timeoutMs,
        ...(traffic && { fetch: traffic.fetchFor({ provider: 'anthropic', phase }) }),
        ...(config.ANTHROPIC_BASE_URL !== undefined && { baseUrl: config.ANTHROPIC_BASE_URL }),
      });
    case 'openai': {
      const address = openAiAddress('LLM', config);
      return createOpenAiModel({
        ...address,
        model,
        settings: { ...address.settings, model: settings.model },
        timeoutMs,
        ...(traffic && { fetch: traffic.fetchFor({ provider: 'openai', phase }) }),
      });
    }
  }
}

/** The language models, whose calls are noted, and which keep the pauses of their providers. */
export function createModels(
  config: Config,
  { answer, small }: { answer: LanguageModel | undefined; small: LanguageModel | undefined },
  {
    traffic,
    watchers,
    sharedOf,
  }: { traffic: Traffic | undefined; watchers: Watchers; sharedOf: SharedRatesOf },
): Record<'answer' | 'router' | 'summary', LanguageModel> {
  const create = (phase: ModelPurpose, override: LanguageModel | undefined): LanguageModel => {
    const model = override ?? createLanguageModel(config, phase, traffic);
    const patient =
      model.provider === 'offline' ? model : keepPauses(model, sharedOf(model.provider, model.id));
    return watchModel(patient, phase, watchers);
  };
  return {
    answer: create('answer', answer),
    router: create('route', small),
    summary: create('summary', small),
  };
}
