import { type RetryPolicy, withRetries } from '../retry.ts';
import { scopedSignal } from '../scoped-signal.ts';
import { countTokens } from '../text/tokens.ts';
import {
  EmbeddingError,
  type EmbeddingInputType,
  type EmbeddingModel,
  type EmbedOptions,
  type EmbedResult,
} from './model.ts';
import { createRateLimiter, NO_LIMITS } from './rate-limiter.ts';
import type { RateLimits } from './rate-meter.ts';
import type { SharedRates } from './shared-rates.ts';

const RETRY: RetryPolicy = { attempts: 5, minDelayMs: 2_000, maxDelayMs: 60_000 };

/** One request to a provider, within its limits; `signal` aborts when it is given up or takes too long. */
export interface EmbeddingRequest {
  texts: readonly string[];
  inputType: EmbeddingInputType;
  signal: AbortSignal;
}

/** How patiently a model behind a network is asked. */
export interface RemoteTerms {
  /** Longest time that one request may take, its body included. */
  timeoutMs?: number;
  retry?: RetryPolicy | undefined;
  /** What may be asked of the provider; undefined: as much as one likes. */
  rates?: RateLimits | undefined;
  /** Where other instances ask it as well; undefined: there are none. */
  shared?: SharedRates | undefined;
}

/** A model behind a network: what it is, and how it is asked. */
export interface RemoteModel
  extends RemoteTerms,
    Pick<EmbeddingModel, 'provider' | 'id' | 'dimensions' | 'limits' | 'calibration'> {
  timeoutMs: number;
  request(request: EmbeddingRequest): Promise<EmbedResult>;
  /** A failure of `request` in the terms of the port. */
  toError(error: unknown, timedOut: boolean): EmbeddingError;
}

/**
 * The model with its patience: rate limits, server errors, broken connections and timeouts are tried again, every other
 * refusal fails at once as a final `EmbeddingError`. Every try waits until the limits let it through, queries first, and one
 * that they do not let through for more than a minute and a half fails as postponed. An abort rejects with the signal's reason.
 */
export function createRemoteModel(remote: RemoteModel): EmbeddingModel {
  const { provider, id, dimensions, limits, calibration, timeoutMs, retry = RETRY } = remote;

  const limiter = createRateLimiter(remote.rates ?? NO_LIMITS, undefined, remote.shared);

  const request = async (
    texts: readonly string[],
    { inputType, signal }: EmbedOptions,
  ): Promise<EmbedResult> => {
    signal?.throwIfAborted();
    const scoped = scopedSignal([signal], { timeoutMs });
    try {
      return await remote.request({ texts, inputType, signal: scoped.signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof EmbeddingError ? error : remote.toError(error, scoped.timedOut);
    } finally {
      scoped.close();
    }
  };

  const attempt = async (texts: readonly string[], options: EmbedOptions): Promise<EmbedResult> => {
    const tokens = limiter.countsTokens ? texts.reduce((sum, text) => sum + countTokens(text), 0) : 0;
    const leave = await limiter.enter({ ...options, tokens });
    return request(texts, options).finally(leave);
  };

  return {
    provider,
    id,
    dimensions,
    limits,
    calibration,
    embed: async (texts, options) => {
      if (texts.length === 0) return { vectors: [], tokens: 0 };
      return withRetries(() => attempt(texts, options), {
        policy: retry,
        signal: options.signal,
        onPause: (error, delayMs) => {
          const rateLimited = error instanceof EmbeddingError && error.status === 429;
          if (rateLimited) limiter.pause(delayMs);
          options.onWait?.({ seconds: delayMs / 1_000, rateLimited });
        },
        judge: (error) =>
          error instanceof EmbeddingError
            ? { retry: error.retryable && !error.isPostponed, afterSeconds: error.retryAfterSeconds }
            : { retry: false },
      });
    },
    close: async () => {},
  };
}
