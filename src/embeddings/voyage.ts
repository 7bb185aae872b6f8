import { createVoyageClient, type VoyageConnection } from '../voyage/client.ts';
import { readVoyageFailure } from '../voyage/failure.ts';
import { UNMEASURED } from './calibration.ts';
import { EmbeddingError, type EmbeddingLimits, type EmbeddingModel, withinLimits } from './model.ts';
import { readVectors } from './read-vectors.ts';
import { createRemoteModel, type RemoteTerms } from './remote.ts';
import { voyageLimits } from './voyage-limits.ts';

export interface VoyageOptions extends RemoteTerms, VoyageConnection {
  model?: string;
  dimensions?: number;
  /** Smaller requests than Voyage takes. */
  limits?: Partial<EmbeddingLimits>;
}

/**
 * Voyage's embedding models over HTTP, with the patience of `createRemoteModel`. Nothing is truncated silently.
 */
export function createVoyageModel(options: VoyageOptions): EmbeddingModel {
  const { model = 'voyage-3.5-lite', dimensions = 512, timeoutMs = 60_000 } = options;
  const setup = { name: 'Voyage', model, settings: { key: 'VOYAGE_API_KEY', model: 'EMBEDDING_MODEL' } };
  const client = createVoyageClient(options, timeoutMs);

  return createRemoteModel({
    provider: 'voyage',
    id: model,
    dimensions,
    limits: withinLimits(voyageLimits(model), options.limits),
    calibration: UNMEASURED, // without a key there are no vectors to measure
    timeoutMs,
    retry: options.retry,
    rates: options.rates,
    shared: options.shared,
    request: async ({ texts, inputType, signal }) => {
      const response = await client.embed(
        { input: [...texts], model, inputType, outputDimension: dimensions, truncation: false },
        { abortSignal: signal },
      );
      const tokens = response?.usage?.totalTokens;
      return {
        // the SDK hands a body that is not JSON through as an object without data
        vectors: readVectors(response?.data, { name: 'Voyage', count: texts.length, dimensions }),
        tokens: typeof tokens === 'number' && tokens > 0 ? tokens : 0,
      };
    },
    toError: (error, timedOut) => {
      const facts = readVoyageFailure(error, timedOut, setup);
      return new EmbeddingError(facts.message, facts);
    },
  });
}
