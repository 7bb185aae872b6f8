import type { PoolFigures } from '../processes/pool.ts';
import type { ProviderFacts } from '../provider-failure.ts';

/** What one call to a reranker may hold. */
export interface RerankLimits {
  /** Documents in one request; more are asked about in several requests at a time. */
  documentsPerCall: number;
  /** Of all documents, and of the question once for each of them, in Forge's tokens. */
  tokensPerCall: number;
}

export interface RerankResult {
  /** How well each document answers the question, in the order of the documents; finite, and comparable in this call alone. */
  scores: number[];
  /** Tokens that the provider charged for; 0 where it does not say, or charges by the search. */
  tokens: number;
  /** What it charged for by the search: the units that it names, else the requests. */
  calls: number;
}

/**
 * A model that reads a question and a document together and says how well the one answers the other. It is asked once:
 * whoever waits for a search would not wait for a second try. Failures arrive as `RerankError`, an abort as the signal's
 * reason.
 *
 * It gives the scores of all documents. Providers can be asked for the best few alone, which costs the same; which places a
 * search gives, it knows only with all of them.
 */
export interface RerankModel {
  readonly provider: 'voyage' | 'cohere' | 'tei' | 'local';
  /** Name of the model, which its usage is booked under: `rerank-2.5-lite`. */
  readonly id: string;
  readonly limits: RerankLimits;
  rerank(
    query: string,
    documents: readonly string[],
    options: { signal?: AbortSignal },
  ): Promise<RerankResult>;
  /** Asks it once, so that it is known to work, and ready. Throws an `Error` that says what is wrong. */
  tryOut?(): Promise<void>;
  /** How the processes stand that it works in, where it has any. */
  processes?(): PoolFigures;
  close(): Promise<void>;
}

/** The reranker gave no order that can be used. */
export class RerankError extends Error implements ProviderFacts {
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** What is to be changed in the settings, in words that anybody may read; only where they are to blame. */
  readonly advice: string | undefined;

  constructor({ message, retryable, status, retryAfterSeconds, advice, cause }: ProviderFacts) {
    super(message, { cause });
    this.name = 'RerankError';
    this.retryable = retryable;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.advice = advice;
  }
}
