import type { TurnPassage } from '../contract/passage.ts';

export interface DocumentFilters {
  /** Names of files; empty: all. */
  filenames: string[];
  /** Headings that the header path starts with. */
  headerPath: string[];
  mediaTypes: string[];
}

/** Where one leaf stood in each ranking; ranks from 1, null where that ranking did not have it. */
export interface LeafExplanation {
  leafId: string;
  denseRank: number | null;
  /** Cosine similarity. */
  denseScore: number | null;
  lexicalRank: number | null;
  /** BM25. */
  lexicalScore: number | null;
  fusedScore: number;
}

export interface MatchedLeaf {
  leafId: string;
  score: number;
  charStart: number;
  charEnd: number;
  text: string;
}

/** A parent that a query found: what the model reads. */
export interface Passage {
  parentId: string;
  text: string;
  contextHeader: string;
  filename: string;
  mediaType: string;
  version: number;
  headerPath: string[];
  page: number | null;
  /** Of its best leaf, 0 to 1. */
  score: number;
  charStart: number;
  charEnd: number;
  tokens: number;
  /** Best first. */
  matchedLeaves: MatchedLeaf[];
  explain: { promotedBy: string; leaves: LeafExplanation[] } | null;
}

/** An earlier exchange that a query found. */
export interface RecalledTurn {
  turnNumber: number;
  status: TurnPassage['status'];
  priming: boolean;
  probe: string | null;
  message: string;
  /** Empty when nothing was said in reply. */
  response: string;
  summary: string;
  score: number;
  explain: Omit<LeafExplanation, 'leafId'> | null;
}
