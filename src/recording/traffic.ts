/** A kind of call: whom it goes to, and what for. */
export interface CallKind {
  provider: 'anthropic' | 'openai' | 'voyage' | 'cohere' | 'tei';
  /** `answer`, `route`, `summary`, `embed`, `rerank`. */
  phase: string;
}

/** What providers' SDKs send their requests with, in place of the network's own. */
export interface Traffic {
  fetchFor(kind: CallKind): typeof fetch;
  /** Waits until all that was heard is kept. */
  close(): Promise<void>;
}

/** The part of a logger that is written to. */
export interface TrafficLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
