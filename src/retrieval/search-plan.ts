import type { PlainStrategy, SearchMode } from '../contract/passage.ts';

/** What a search goes by. */
interface SearchPlan {
  /** Null: not by vectors. */
  vector: Float32Array | null;
  byWords: boolean;
  strategy: PlainStrategy;
}

/** What a mode comes to with the vector at hand: without one, every search goes by words and says so. */
export function planSearch(mode: SearchMode, vector: Float32Array | null): SearchPlan {
  if (mode === 'lexical') return { vector: null, byWords: true, strategy: mode };
  if (vector === null) return { vector, byWords: true, strategy: 'lexical_fallback' };
  return { vector, byWords: mode === 'hybrid', strategy: mode };
}
