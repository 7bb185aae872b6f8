import type { SearchMode } from '../src/contract/passage.ts';
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

/** One set of questions: `prepare` stores its corpus, what it returns measures one mode. */
export interface RetrievalSet {
  name: string;
  figures: Figure[];
  prepare(store: EvalStore): Promise<(mode: SearchMode) => Promise<Record<string, number>>>;
}
