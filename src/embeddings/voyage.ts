import { VoyageAIClient, VoyageAIError, VoyageAITimeoutError } from 'voyageai';
import { type ProviderSetup, type SettingsFault, settingsAdvice, settingsFault } from '../provider-advice.ts';
import { isMissing } from '../recording/missing.ts';
import { parseRetryAfter } from '../retry.ts';
import { UNMEASURED } from './calibration.ts';
import { EmbeddingError, type EmbeddingLimits, type EmbeddingModel, withinLimits } from './model.ts';
import { readVectors } from './read-vectors.ts';
import { createRemoteModel, type RemoteTerms } from './remote.ts';
import { voyageLimits } from './voyage-limits.ts';

export interface VoyageOptions extends RemoteTerms {
  apiKey: string;
  baseUrl?: string;
  model?: string;
  dimensions?: number;
  /** Smaller requests than Voyage takes. */
  limits?: Partial<EmbeddingLimits>;
  /** In place of the network's own. */
  fetch?: typeof fetch;
}

/**
 * Voyage's embedding models over HTTP, with the patience of `createRemoteModel`. Nothing is truncated silently.
 */
export function createVoyageModel(options: VoyageOptions): EmbeddingModel {
  const { model = 'voyage-3.5-lite', dimensions = 512, timeoutMs = 60_000 } = options;
  const setup = { name: 'Voyage', model, settings: { key: 'VOYAGE_API_KEY', model: 'EMBEDDING_MODEL' } };
  const client = new VoyageAIClient({
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    // the SDK's own retries ignore an abort while they wait
    maxRetries: 0,
    // ends with the headers
    timeoutInSeconds: timeoutMs / 1_000,
    ...(options.fetch && { fetch: options.fetch }),
  });

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
    toError: (error, timedOut) => toEmbeddingError(error, timedOut, setup),
  });
}

function toEmbeddingError(error: unknown, timedOut: boolean, setup: ProviderSetup): EmbeddingError {
  if (timedOut || error instanceof VoyageAITimeoutError) {
    return new EmbeddingError('Voyage did not answer in time', { retryable: true, cause: error });
  }
  if (!(error instanceof VoyageAIError)) {
    return new EmbeddingError('The request to Voyage could not be made', { retryable: false, cause: error });
  }
  const { statusCode: status } = error;
  if (status === undefined) {
    return new EmbeddingError('Voyage cannot be reached', { retryable: true, cause: error });
  }
  const { headers } = error.rawResponse ?? {};
  const retryAfterSeconds = parseRetryAfter(headers?.get('retry-after'));
  const detail = detailOf(error.body);
  const fault = faultOf(status, detail);
  const advice = isMissing(headers) ? detail : fault && settingsAdvice(fault, setup);
  return new EmbeddingError(`Voyage answered ${status}: ${detail.slice(0, 300)}`, {
    retryable: status === 408 || status === 429 || status >= 500,
    status,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(advice !== undefined && { advice }),
    cause: error,
  });
}

/** Voyage answers 400 for a model that it does not have, and names those that it has. */
function faultOf(status: number, detail: string): SettingsFault | undefined {
  return status === 400 && /\bmodel\b.*\bnot supported\b/i.test(detail) ? 'model' : settingsFault(status);
}

function detailOf(body: unknown): string {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;
  return typeof detail === 'string' ? detail : '';
}
