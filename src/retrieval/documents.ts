import type { SearchMode, SearchStrategy } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import { readParents, type StoredParent } from '../db/passages.ts';
import type { Scope } from '../scope.ts';
import { type Candidate, rankLeaves } from './candidates.ts';
import { leafKey } from './leaf-hit.ts';
import type { DocumentFilters, LeafExplanation, Passage } from './passage.ts';
import { DEFAULT_DENSE_WEIGHT } from './query-vector.ts';
import { planSearch } from './search-plan.ts';

/** Leaves ranked for each parent wanted, and at least: enough that parents with many matching leaves leave room. */
const LEAVES_PER_PARENT = 8;
const MIN_DEPTH = 50;
/** Of the leaves ranked, those whose parents are looked at first for each parent wanted, and at least. */
const FIRST_PER_PARENT = 4;
const MIN_FIRST = 24;
/** When all leaves ranked have too few parents, so many times more are ranked. */
const WIDENING = 8;
/** A leaf less good than this share of its parent's best is context, not a match. */
const MATCH_SHARE = 0.5;

export interface DocumentQuery {
  text: string;
  /** The query's vector; null: search by words alone. */
  vector: Float32Array | null;
  /** What vectors count against words, which count 1: `QueryEmbedder.denseWeight`; left out, as for the local encoder. */
  denseWeight?: number;
  /** Parents wanted. */
  limit: number;
  mode: SearchMode;
  filters: DocumentFilters;
  explain: boolean;
}

function explainLeaf(leafId: string, candidate: Candidate): LeafExplanation {
  const { denseRank, denseScore, lexicalRank, lexicalScore, score } = candidate;
  return { leafId, denseRank, denseScore, lexicalRank, lexicalScore, fusedScore: score };
}

function toPassage(
  parent: StoredParent,
  candidates: ReadonlyMap<string, Candidate>,
  explain: boolean,
): Passage {
  const [best] = parent.leaves;
  const score = best?.score ?? 0;
  return {
    parentId: parent.parent_id,
    text: parent.text,
    contextHeader: parent.breadcrumb,
    filename: parent.filename,
    mediaType: parent.media_type,
    version: parent.version,
    headerPath: parent.header_path,
    page: parent.page,
    score,
    charStart: parent.char_start,
    charEnd: parent.char_end,
    tokens: parent.tokens,
    matchedLeaves: parent.leaves
      .filter((leaf) => leaf.score >= MATCH_SHARE * score)
      .map((leaf) => ({
        leafId: leaf.leaf_id,
        score: leaf.score,
        charStart: leaf.char_start,
        charEnd: leaf.char_end,
        text: leaf.text,
      })),
    explain: explain
      ? {
          promotedBy: best?.leaf_id ?? '',
          leaves: parent.leaves.flatMap((leaf) => {
            const candidate = candidates.get(leafKey({ fileId: leaf.file_id, leafIndex: leaf.leaf_index }));
            return candidate ? [explainLeaf(leaf.leaf_id, candidate)] : [];
          }),
        }
      : null,
  };
}

/** The parents of the first candidates or, when those have fewer than wanted, of all. */
async function bestParents(db: Queryable, scope: Scope, hits: readonly Candidate[], limit: number) {
  const first = hits.slice(0, Math.max(MIN_FIRST, FIRST_PER_PARENT * limit));
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
): Promise<{ passages: Passage[]; strategy: SearchStrategy }> {
  const { strategy, ...plan } = planSearch(query.mode, query.vector);
  const leafQuery = {
    text: query.text,
    denseWeight: query.denseWeight ?? DEFAULT_DENSE_WEIGHT,
    filters: query.filters,
    ...plan,
  };
  let depth = Math.max(MIN_DEPTH, LEAVES_PER_PARENT * query.limit);
  let retried = false;
  for (;;) {
    const { candidates, more } = await rankLeaves(db, scope, leafQuery, depth);
    if (candidates.size === 0) return { passages: [], strategy };
    const { parents, complete } = await bestParents(db, scope, [...candidates.values()], query.limit);
    if (!complete && !retried) {
      // a file's version was replaced between the two reads: the new one is there to be ranked
      retried = true;
    } else if (parents.length >= query.limit || !more) {
      return { passages: parents.map((parent) => toPassage(parent, candidates, query.explain)), strategy };
    } else {
      depth *= WIDENING;
    }
  }
}
