import type { SearchStrategy, TurnPassage } from '../contract/passage.ts';
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
  /** What it was ranked by, 0 to 1. */
  rankScore: number;
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
  /** The confidence that it bears on the query, 0 to 1. */
  score: number;
  /** What it was ranked by, 0 to 1. */
  rankScore: number;
  /** What its confidence was made of. */
  evidence: Evidence;
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
  /** The confidence that it bears on the query, 0 to 1. */
  score: number;
  /** What it was ranked by: fused score by what the turn is worth. */
  rankScore: number;
  /** What its confidence was made of. */
  evidence: Evidence;
  explain: Omit<LeafExplanation, 'leafId'> | null;
}
