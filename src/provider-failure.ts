/** A provider's failure in terms that hold for models of every kind. */
export interface ProviderFacts {
  message: string;
  /** Whether the same request may come through later. */
  retryable: boolean;
  status?: number | undefined;
  retryAfterSeconds?: number | undefined;
  /** What is to be changed in the settings, in words that anybody may read; only where they are to blame. */
  advice?: string | undefined;
  cause?: unknown;
}
