import type { DocumentPassage, Ranking, TurnPassage } from '../contract/passage.ts';

export interface DocumentFilters {
  /** Names of files; empty: all. */
  filenames: string[];
  /** Headings that the header path starts with. */
  headerPath: string[];
  mediaTypes: string[];
}

/** Where one leaf stood in each ranking. */
export type LeafExplanation = Ranking & { leaf_id: string };

export type MatchedLeaf = DocumentPassage['matched_leaves'][number] & { text: string };

/** A parent that a query found, as it is shown, and what the model's prompt needs besides. */
export type Passage = Omit<DocumentPassage, 'object' | 'kind' | 'matched_leaves'> & {
  tokens: number;
  matched_leaves: MatchedLeaf[];
};

/** An earlier exchange that a query found, as it is shown, and what the model's prompt needs besides. */
export type RecalledTurn = Omit<TurnPassage, 'object' | 'kind'> & { priming: boolean };
