import type { PoolFigures } from '../processes/pool.ts';
import type { EmbeddingCalibration } from './calibration.ts';

/** A page of Postgres holds a row with so many numbers, and no more: vectors stand in their rows. */
export const MOST_DIMENSIONS = 2_000;

/** What a text is embedded for: retrieval models give a stored passage and a question different vectors. */
export type EmbeddingInputType = 'document' | 'query';

/** What one call to a model may hold. Batching above the port reads these; it knows no vendor. */
export interface EmbeddingLimits {
  inputsPerCall: number;
  tokensPerCall: number;
  tokensPerInput: number;
}

/** The smaller one of each limit. */
export function withinLimits(
  limits: EmbeddingLimits,
  {
    inputsPerCall = Infinity,
    tokensPerCall = Infinity,
    tokensPerInput = Infinity,
  }: Partial<EmbeddingLimits> = {},
): EmbeddingLimits {
  return {
    inputsPerCall: Math.min(limits.inputsPerCall, inputsPerCall),
    tokensPerCall: Math.min(limits.tokensPerCall, tokensPerCall),
    tokensPerInput: Math.min(limits.tokensPerInput, tokensPerInput),
  };
}

/** A pause before a call is tried again. */
export interface EmbeddingWait {
  seconds: number;
  /** The provider asked for fewer requests. */
  rateLimited: boolean;
}

export interface EmbedOptions {
  inputType: EmbeddingInputType;
  signal?: AbortSignal;
  /** Told of each pause as it begins. */
  onWait?: (wait: EmbeddingWait) => void;
}

export interface EmbedResult {
  /** One unit-length vector of `dimensions` numbers for each text, in order. */
  vectors: Float32Array[];
  /** Tokens the provider charged for; 0 for a local model. */
  tokens: number;
}

/**
 * A model that turns texts into vectors. One call is one request to the model, within `limits`; retrying is the
 * adapter's affair, batching and caching are not. Failures arrive as `EmbeddingError`.
 */
export interface EmbeddingModel {
  readonly provider: 'voyage' | 'openai' | 'local' | 'off';
  /** Name of the model, part of every cache key, for example `voyage-3.5-lite`. */
  readonly id: string;
  readonly dimensions: number;
  readonly limits: EmbeddingLimits;
  readonly calibration: EmbeddingCalibration;
  embed(texts: readonly string[], options: EmbedOptions): Promise<EmbedResult>;
  /** Where something may be wrong with it that only using it shows: throws an `Error` that says what. For the start. */
  tryOut?(): Promise<void>;
  /** How the processes stand that it works in, where it has any. */
  processes?(): PoolFigures;
  close(): Promise<void>;
}

/** The provider failed for good (after the adapter's retries, where retrying made sense). */
export class EmbeddingError extends Error {
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** What is to be changed in the settings, in words that anybody may read; only where they are to blame. */
  readonly advice: string | undefined;
  /** Nothing failed: the limits that were set for the provider let the call through later, after `retryAfterSeconds`. */
  readonly isPostponed: boolean;

  constructor(
    message: string,
    options: {
      retryable: boolean;
      status?: number | undefined;
      retryAfterSeconds?: number | undefined;
      advice?: string | undefined;
      isPostponed?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = 'EmbeddingError';
    this.retryable = options.retryable;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.advice = options.advice;
    this.isPostponed = options.isPostponed ?? false;
  }
}
