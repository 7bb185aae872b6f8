import type { EvalSearch } from './retrieval-search.ts';
import type { EvalStore } from './retrieval-store.ts';

/** A figure of a set: what plain BM25 and what published systems reach, and what is to be reached. */
export interface Figure {
  name: string;
  /** Plain BM25 on both halves of the set; null where nobody measured it. */
  floor: number | null;
  goal: number;
  /** The best published figure without a language model in the loop, and whose. */
  published?: string;
}

/** By the names of figures: what each question scored, in an order that is the same in every run. Their mean is the figure. */
export type QuestionScores = Record<string, readonly number[]>;

/** One set of questions: `prepare` stores its corpus, what it returns measures one way of searching it. */
export interface RetrievalSet {
  name: string;
  /** Of EVAL_DIR, or of the repository where the set is its own. */
  folder: string;
  figures: Figure[];
  /** What is looked for are documents: their order is a reranker's business. */
  isReranked: boolean;
  prepare(store: EvalStore): Promise<(search: EvalSearch) => Promise<QuestionScores>>;
}
