import { VoyageAIClient, VoyageAIError, VoyageAITimeoutError } from 'voyageai';
import { type ProviderSetup, type SettingsFault, settingsAdvice, settingsFault } from '../provider-advice.ts';
import { isMissing } from '../recording/missing.ts';
import { parseRetryAfter, type RetryPolicy, withRetries } from '../retry.ts';
import { embeddingCalibrationSchema } from './calibration.ts';
import { EmbeddingError, type EmbeddingModel, type EmbedResult } from './model.ts';
import { toUnitVector } from './unit.ts';
import { voyageLimits } from './voyage-limits.ts';

export interface VoyageOptions {
  apiKey: string;
  baseUrl?: string;
  model?: string;
  dimensions?: number;
  /** Longest time that one request may take, its body included. */
  timeoutMs?: number;
  retry?: RetryPolicy;
  /** In place of the network's own. */
  fetch?: typeof fetch;
}

const RETRY: RetryPolicy = { attempts: 5, minDelayMs: 2_000, maxDelayMs: 60_000 };

// None of it was measured: without a key there are no vectors to measure. A retrieval model's ranking is worth as much as
// that by words; its cosines are taken for those of the local encoder.
const CALIBRATION = embeddingCalibrationSchema.parse({
  fusionWeight: 1,
  leastCosine: 0.3,
  cosineSpan: 0.5,
  meaningWeight: 0.5,
  standingSpan: 0,
});

/**
 * Voyage's embedding models over HTTP. Rate limits, server errors, broken connections and timeouts are tried again;
 * every other refusal fails at once as a final `EmbeddingError`. Nothing is truncated silently. An abort rejects with
 * the signal's reason.
 */
export function createVoyageModel(options: VoyageOptions): EmbeddingModel {
  const { model = 'voyage-3.5-lite', dimensions = 512, timeoutMs = 60_000, retry = RETRY } = options;
  const setup = { name: 'Voyage', model, settings: { key: 'VOYAGE_API_KEY', model: 'EMBEDDING_MODEL' } };
  const client = new VoyageAIClient({
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
    // the SDK's own retries ignore an abort while they wait
    maxRetries: 0,
    timeoutInSeconds: timeoutMs / 1_000,
    ...(options.fetch && { fetch: options.fetch }),
  });

  const request = async (
    texts: readonly string[],
    inputType: 'document' | 'query',
    signal: AbortSignal | undefined,
  ): Promise<EmbedResult> => {
    signal?.throwIfAborted();
    // the SDK's timeout ends with the headers; this one covers the body
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await client.embed(
        { input: [...texts], model, inputType, outputDimension: dimensions, truncation: false },
        { abortSignal: signal ? AbortSignal.any([signal, timeout]) : timeout },
      );
      return readResponse(response, texts.length, dimensions);
    } catch (error) {
      signal?.throwIfAborted();
      throw toEmbeddingError(error, timeout.aborted, setup);
    }
  };

  return {
    provider: 'voyage',
    id: model,
    dimensions,
    limits: voyageLimits(model),
    calibration: CALIBRATION,
    embed: async (texts, { inputType, signal, onWait }) => {
      if (texts.length === 0) return { vectors: [], tokens: 0 };
      return withRetries(() => request(texts, inputType, signal), {
        policy: retry,
        signal,
        onPause: (error, delayMs) =>
          onWait?.({
            seconds: delayMs / 1_000,
            rateLimited: error instanceof EmbeddingError && error.status === 429,
          }),
        judge: (error) =>
          error instanceof EmbeddingError
            ? { retry: error.retryable, afterSeconds: error.retryAfterSeconds }
            : { retry: false },
      });
    },
    close: async () => {},
  };
}

interface VoyageResponse {
  data?: { embedding?: number[]; index?: number }[];
  usage?: { totalTokens?: number };
}

/** Takes nothing on trust: as many vectors as texts, each of the asked size and finite, put in order by their index. */
function readResponse(response: VoyageResponse | undefined, count: number, dimensions: number): EmbedResult {
  const data = response?.data;
  // the SDK hands a body that is not JSON through as an object without data: a proxy's page, or a cut reply
  if (!Array.isArray(data)) throw new EmbeddingError('Voyage sent no embeddings', { retryable: true });
  if (data.length !== count) throw malformed(`${data.length} embeddings for ${count} texts`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const item of data) {
    const { index, embedding } = item ?? {};
    if (index === undefined || !Number.isInteger(index) || index < 0 || index >= count || vectors[index]) {
      throw malformed(`an embedding with the index ${String(index)}`);
    }
    if (!Array.isArray(embedding) || embedding.length !== dimensions) {
      throw malformed(`an embedding of ${embedding?.length ?? 0} numbers instead of ${dimensions}`);
    }
    const unit = embedding.every((value) => typeof value === 'number') ? toUnitVector(embedding) : null;
    if (!unit) throw malformed('an embedding with values that are not numbers');
    vectors[index] = unit;
  }
  const tokens = response?.usage?.totalTokens;
  return {
    vectors: vectors.filter((vector) => vector !== undefined),
    tokens: typeof tokens === 'number' && tokens > 0 ? tokens : 0,
  };
}

function malformed(what: string): EmbeddingError {
  return new EmbeddingError(`Voyage sent ${what}`, { retryable: false });
}

function toEmbeddingError(error: unknown, timedOut: boolean, setup: ProviderSetup): EmbeddingError {
  if (error instanceof EmbeddingError) return error;
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
