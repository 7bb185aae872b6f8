import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { MOST_DIMENSIONS } from '../embeddings/model.ts';
import { OPENAI_MODELS } from '../embeddings/openai-models.ts';
import { type OpenAiShared, openAiAddress } from './openai.ts';
import { integer, optional, withDefault } from './schemas.ts';

/** Processes of a local encoder where the settings say nothing: one for each core, as far as memory is no concern. */
const MOST_WORKERS = 4;
const NO_LIMIT = 0;
/** What an account of an unknown provider is taken to allow; a server that asks for no key is one's own. */
const METERED = { perMinute: 60, perDay: 1_500 };

/** The settings of what makes vectors. */
export const embeddingSettings = {
  EMBEDDING_PROVIDER: optional(z.enum(['voyage', 'openai', 'local', 'off'])),
  EMBEDDING_MODEL: optional(z.string()),
  EMBEDDING_DIMENSIONS: optional(integer(1, MOST_DIMENSIONS)),
  EMBEDDING_SEND_DIMENSIONS: optional(z.stringbool()),
  EMBEDDING_QUERY_PREFIX: withDefault(z.string(), ''),
  EMBEDDING_DOCUMENT_PREFIX: withDefault(z.string(), ''),
  EMBEDDING_BATCH_SIZE: optional(integer(1, 2_048)),
  EMBEDDING_BATCH_TOKENS: optional(integer(500, 1_000_000)),
  EMBEDDING_CONCURRENCY: optional(integer(0, 64)),
  EMBEDDING_REQUESTS_PER_MINUTE: optional(integer(0, 1_000_000)),
  EMBEDDING_REQUESTS_PER_DAY: optional(integer(0, 1_000_000_000)),
  EMBEDDING_TOKENS_PER_MINUTE: withDefault(integer(0, 1_000_000_000), NO_LIMIT),
  EMBEDDING_API_KEY: optional(z.string()),
  EMBEDDING_BASE_URL: optional(z.url()),
  VOYAGE_API_KEY: optional(z.string()),
  VOYAGE_BASE_URL: optional(z.url()),
  LOCAL_MODEL: optional(z.string()),
  LOCAL_MODEL_DIR: optional(z.string()),
  MODEL_CACHE_DIR: optional(z.string()),
  MODEL_HUB_URL: withDefault(z.url({ protocol: /^https?$/ }), 'https://huggingface.co'),
  EMBEDDING_WORKERS: withDefault(integer(1, 16), Math.min(availableParallelism(), MOST_WORKERS)),
  EMBEDDING_CACHE_DAYS: withDefault(integer(1, 3_650), 90),
};

const schema = z.object(embeddingSettings);
export type EmbeddingSettings = z.infer<typeof schema>;
export type EmbeddingProvider = NonNullable<EmbeddingSettings['EMBEDDING_PROVIDER']>;

/** What is used of a provider where the settings say nothing. */
interface ProviderDefaults {
  model: string;
  /** Undefined: of this model it is not known, and has to be set. */
  dimensions: number | undefined;
  /** How many requests at a time, in a minute and in a day; 0: no limit. */
  concurrency: number;
  perMinute: number;
  perDay: number;
}

const UNLIMITED = { concurrency: NO_LIMIT, perMinute: NO_LIMIT, perDay: NO_LIMIT };

/** Whether a local encoder is named that is used in the place of the built-in one. */
const hasOwnEncoder = ({ LOCAL_MODEL, LOCAL_MODEL_DIR }: EmbeddingSettings): boolean =>
  (LOCAL_MODEL ?? LOCAL_MODEL_DIR) !== undefined;

function defaultsOf(
  provider: EmbeddingProvider,
  settings: EmbeddingSettings & OpenAiShared,
): ProviderDefaults {
  switch (provider) {
    case 'voyage':
      return { model: 'voyage-3.5-lite', dimensions: 512, ...UNLIMITED };
    case 'local':
      return {
        model: 'use-lite-en',
        // of another encoder than the built-in one its folder says it
        dimensions: hasOwnEncoder(settings) ? undefined : 512,
        ...UNLIMITED,
      };
    case 'off':
      return { model: 'off', dimensions: 0, ...UNLIMITED };
    case 'openai': {
      const model = 'text-embedding-3-small';
      const dimensions = OPENAI_MODELS.get(settings.EMBEDDING_MODEL ?? model)?.dimensions;
      const { apiKey } = openAiAddress('EMBEDDING', settings);
      return { model, dimensions, ...UNLIMITED, concurrency: 2, ...(apiKey !== undefined && METERED) };
    }
  }
}

/** A local model is named for nothing else, a key may be there for other models of Voyage. */
const likeliestProvider = (settings: EmbeddingSettings): EmbeddingProvider =>
  !hasOwnEncoder(settings) && settings.VOYAGE_API_KEY !== undefined ? 'voyage' : 'local';

/** The settings with what follows from them. */
export function resolveEmbedding(settings: EmbeddingSettings & OpenAiShared) {
  const embeddingProvider = settings.EMBEDDING_PROVIDER ?? likeliestProvider(settings);
  const defaults = defaultsOf(embeddingProvider, settings);
  return {
    /** `EMBEDDING_PROVIDER`, or local where a local model is named, or voyage where its key is there, else local. */
    embeddingProvider,
    EMBEDDING_MODEL: settings.EMBEDDING_MODEL ?? defaults.model,
    /** 0: not set, and not known of the model: the folder of a local one says it. */
    EMBEDDING_DIMENSIONS: settings.EMBEDDING_DIMENSIONS ?? defaults.dimensions ?? 0,
    EMBEDDING_CONCURRENCY: settings.EMBEDDING_CONCURRENCY ?? defaults.concurrency,
    EMBEDDING_REQUESTS_PER_MINUTE: settings.EMBEDDING_REQUESTS_PER_MINUTE ?? defaults.perMinute,
    EMBEDDING_REQUESTS_PER_DAY: settings.EMBEDDING_REQUESTS_PER_DAY ?? defaults.perDay,
  };
}

/** What the settings of vectors contradict in each other; empty when nothing. */
export function embeddingProblems(
  settings: EmbeddingSettings,
  { embeddingProvider: provider, EMBEDDING_DIMENSIONS: dimensions }: ReturnType<typeof resolveEmbedding>,
): string[] {
  if (provider === 'voyage') {
    return [
      ...(settings.VOYAGE_API_KEY === undefined
        ? ['VOYAGE_API_KEY: is needed when EMBEDDING_PROVIDER is voyage']
        : []),
      ...([256, 512, 1024].includes(dimensions)
        ? []
        : ['EMBEDDING_DIMENSIONS: must be 256, 512 or 1024 when EMBEDDING_PROVIDER is voyage']),
    ];
  }
  if (provider === 'local') {
    if (settings.LOCAL_MODEL !== undefined && settings.LOCAL_MODEL_DIR !== undefined) {
      return ['LOCAL_MODEL: cannot be set together with LOCAL_MODEL_DIR, which names another model'];
    }
    return hasOwnEncoder(settings) || dimensions === 512
      ? []
      : ['EMBEDDING_DIMENSIONS: the local model has 512 dimensions'];
  }
  return provider === 'openai' && dimensions === 0
    ? [
        'EMBEDDING_DIMENSIONS: is needed for this EMBEDDING_MODEL: set it to how many numbers its vectors have',
      ]
    : [];
}
