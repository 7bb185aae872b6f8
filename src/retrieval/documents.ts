import type { SearchMode, SearchStrategy } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import { readParents, type StoredParent } from '../db/passages.ts';
import type { Scope } from '../scope.ts';
import { type Candidate, rankLeaves } from './candidates.ts';
import { rankingOf } from './combine.ts';
import { leafKey } from './leaf-hit.ts';
import type { DocumentFilters, LeafExplanation, Passage } from './passage.ts';
import { planSearch } from './search-plan.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

export interface DocumentQuery {
  text: string;
  /** The query's vector; null: search by words alone. */
  vector: Float32Array | null;
  /** What vectors count against words, which count 1: their model's (`EmbeddingCalibration`). */
  fusionWeight: number;
  /** Parents wanted. */
  limit: number;
  mode: SearchMode;
  filters: DocumentFilters;
  explain: boolean;
}

const explainLeaf = (leafId: string, candidate: Candidate): LeafExplanation => ({
  leaf_id: leafId,
  ...rankingOf(candidate),
});

function toPassage(
  parent: StoredParent,
  candidates: ReadonlyMap<string, Candidate>,
  { explain, matchShare }: { explain: boolean; matchShare: number },
): Passage {
  const [best] = parent.leaves;
  const score = best?.score ?? 0;
  return {
    parent_id: parent.parent_id,
    text: parent.text,
    context_header: parent.breadcrumb,
    filename: parent.filename,
    media_type: parent.media_type,
    version: parent.version,
    header_path: parent.header_path,
    page: parent.page,
    score,
    char_start: parent.char_start,
    char_end: parent.char_end,
    tokens: parent.tokens,
    matched_leaves: parent.leaves
      .filter((leaf) => leaf.score >= matchShare * score)
      .map(({ leaf_id, score: own, char_start, char_end, text }) => ({
        leaf_id,
        score: own,
        char_start,
        char_end,
        text,
      })),
    explain: explain
      ? {
          promoted_by: best?.leaf_id ?? '',
          leaves: parent.leaves.flatMap((leaf) => {
            const candidate = candidates.get(leafKey({ fileId: leaf.file_id, leafIndex: leaf.leaf_index }));
            return candidate ? [explainLeaf(leaf.leaf_id, candidate)] : [];
          }),
        }
      : null,
  };
}

/** The parents of the first candidates or, when those have fewer than wanted, of all. */
async function bestParents(
  db: Queryable,
  scope: Scope,
  hits: readonly Candidate[],
  limit: number,
  { minFirst, firstPerParent }: RetrievalTuning['documents'],
) {
  const first = hits.slice(0, Math.max(minFirst, firstPerParent * limit));
  const few = await readParents(db, scope, first, limit);
  if (few.parents.length >= limit || first.length === hits.length) {
    return { parents: few.parents, complete: few.current === first.length };
  }
  const { parents, current } = await readParents(db, scope, hits, limit);
  return { parents, complete: current === hits.length };
}

/**
 * Searches a project's documents: leaves are ranked by words, by vectors or by both, and the parents of the best come
 * back, each once, best first, with the score of its best leaf. There are fewer than `limit` only if no more parents
 * have a leaf that the filters and the mode let through.
 *
 * @param db outside a transaction, where its statements can run side by side
 * @returns passages with scores from 0 to 1, and how they were found: `lexical_fallback` when the mode needs a vector
 *   and there is none
 */
export async function searchDocuments(
  db: Queryable,
  scope: Scope,
  query: DocumentQuery,
  tuning: RetrievalTuning = retrievalTuning,
): Promise<{ passages: Passage[]; strategy: SearchStrategy }> {
  const { strategy, ...plan } = planSearch(query.mode, query.vector);
  const { text, fusionWeight, filters, limit, explain } = query;
  const leaves = { text, fusionWeight, filters, ...plan };
  const { leavesPerParent, minDepth, widening, matchShare } = tuning.documents;
  let depth = Math.max(minDepth, leavesPerParent * limit);
  let retried = false;
  for (;;) {
    const { candidates, more } = await rankLeaves(db, scope, leaves, depth, tuning);
    if (candidates.size === 0) return { passages: [], strategy };
    const hits = [...candidates.values()];
    const { parents, complete } = await bestParents(db, scope, hits, limit, tuning.documents);
    if (!complete && !retried) {
      // a file's version was replaced between the two reads: the new one is there to be ranked
      retried = true;
    } else if (parents.length >= limit || !more) {
      return {
        passages: parents.map((parent) => toPassage(parent, candidates, { explain, matchShare })),
        strategy,
      };
    } else {
      depth *= widening;
    }
  }
}
