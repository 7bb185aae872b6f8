/** How documents and turns are searched. */
export type SearchMode = 'hybrid' | 'semantic' | 'lexical';

/** How an answer came about; `lexical_fallback`: vectors were asked for and the embedding provider failed. */
export type SearchStrategy = SearchMode | 'lexical_fallback';

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
  status: 'completed' | 'failed' | 'cancelled';
  priming: boolean;
  probe: string | null;
  message: string;
  /** Empty when nothing was said in reply. */
  response: string;
  summary: string;
  score: number;
  explain: Omit<LeafExplanation, 'leafId'> | null;
}
