/** A call of a provider that a search has made, which is booked where the search belongs. */
export interface QuerySpent {
  phase: 'embed_queries' | 'rerank';
  model: string;
  provider: string;
  /** Tokens that the provider charged for. */
  tokens: number;
  calls: number;
}

/** Told of every call to a provider that a search makes. */
export type OnQuerySpent = (spent: QuerySpent) => void;
