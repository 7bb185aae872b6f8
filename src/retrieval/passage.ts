import type {
  DocumentPassage,
  PlainStrategy,
  QueryReading,
  Ranking,
  SearchStrategy,
  TurnPassage,
} from '../contract/passage.ts';
import type { Evidence } from './bearing.ts';

export interface DocumentFilters {
  /** Names of files; empty: all. */
  filenames: string[];
  /** Headings that the header path starts with. */
  headerPath: string[];
  mediaTypes: string[];
}

/** What was found, and how much it was found among. */
export interface Found<Hit> {
  /** In the order of their ranking. */
  hits: Hit[];
  /** Sections, or turns, that were searched. */
  considered: number;
  strategy: SearchStrategy;
}

/** What a search of documents found, in its own order. */
export interface FoundSections extends Found<FoundPassage> {
  strategy: PlainStrategy;
  /** Leaves of the files searched that have no vector yet: they were looked for by their words alone. */
  vectorsPending: number;
  reading: QueryReading;
}

/** Where one leaf stood in each ranking. */
export type LeafExplanation = Ranking & { leaf_id: string };

export type MatchedLeaf = Omit<DocumentPassage['matched_leaves'][number], 'score'> & {
  /** What it was ranked by, 0 to 1. */
  rank_score: number;
  text: string;
};

/** Beside its `score`, the confidence that it bears on the query. */
interface Ranked {
  /** What its place was decided by; 0: it was not searched for. */
  rank_score: number;
}

/** A parent that a query found, as it is shown, and what the model's prompt needs besides. */
export type Passage = Omit<DocumentPassage, 'object' | 'kind' | 'matched_leaves' | 'also_in' | 'explain'> &
  Ranked & {
    explain: Omit<NonNullable<DocumentPassage['explain']>, 'for_breadth'> | null;
    tokens: number;
    matched_leaves: MatchedLeaf[];
  };

/** With what its confidence was made of. */
export type FoundPassage = Passage & { evidence: Evidence };

/** An earlier exchange that a query found, as it is shown, and what the model's prompt needs besides. */
export type RecalledTurn = Omit<TurnPassage, 'object' | 'kind'> & Ranked & { priming: boolean };
