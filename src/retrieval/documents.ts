import type { SearchMode } from '../contract/passage.ts';
import type { Queryable } from '../db/database.ts';
import { readParents, type StoredLeaf, type StoredParent } from '../db/passages.ts';
import { selectWithoutVector } from '../db/pending-vectors.ts';
import type { EmbeddingCalibration } from '../embeddings/calibration.ts';
import { type Scope, type Source, sourceOf } from '../scope.ts';
import { type AskedWord, askedWords } from './asked-words.ts';
import { bearingConfidence, collectEvidence, type Evidence, standingOf } from './bearing.ts';
import { withoutMark } from './breadcrumb.ts';
import { type Candidate, rankLeaves } from './candidates.ts';
import { rankingOf } from './combine.ts';
import { leafKey } from './leaf-hit.ts';
import type { DocumentFilters, FoundPassage, FoundSections, LeafExplanation } from './passage.ts';
import { passageOf } from './read-section.ts';
import { readingOf } from './reading.ts';
import { planSearch } from './search-plan.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

export interface DocumentQuery {
  text: string;
  /** The query's vector; null: search by words alone. */
  vector: Float32Array | null;
  /** Of the model whose vectors are compared. */
  calibration: EmbeddingCalibration;
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

/** What the confidence in a parent is made from, besides the parent. */
interface Asked {
  words: readonly AskedWord[];
  candidates: ReadonlyMap<string, Candidate>;
  ordinary: number | null;
  standingSpan: number;
  /** Ids of leaves that have no vector yet. */
  unembedded: ReadonlySet<string>;
}

const candidateOf = (candidates: ReadonlyMap<string, Candidate>, leaf: StoredLeaf): Candidate | undefined =>
  candidates.get(leafKey({ fileId: leaf.file_id, leafIndex: leaf.leaf_index }));

const lines = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part).join('\n');

/** What speaks for a parent and against it. Leaves are found by the words of their contexts, too, so that these count as theirs. */
function evidenceOf(parent: StoredParent, asked: Asked): Evidence {
  const { words, candidates, ordinary, standingSpan, unembedded } = asked;
  const headings = withoutMark(parent.breadcrumb);
  const cosines = parent.leaves.flatMap((leaf) => candidateOf(candidates, leaf)?.denseScore ?? []);
  // what it was found by could not be compared: its words alone speak for it and against it
  const isCompared = cosines.length > 0 || !parent.leaves.some(({ leaf_id }) => unembedded.has(leaf_id));
  const nearest = cosines.length > 0 ? Math.max(...cosines) : null;
  const [best] = parent.leaves;
  const contexts = parent.leaves.map(({ context }) => context);
  return collectEvidence(
    words,
    {
      stretch: lines(headings, best?.context, best?.text),
      whole: lines(headings, ...contexts, parent.text),
      language: parent.language,
    },
    isCompared ? standingOf(nearest, ordinary, standingSpan) : null,
  );
}

function toPassage(
  parent: StoredParent,
  asked: Asked,
  { source, explain, tuning }: { source: Source; explain: boolean; tuning: RetrievalTuning },
): FoundPassage {
  const [best] = parent.leaves;
  const rankScore = best?.score ?? 0;
  const evidence = evidenceOf(parent, asked);
  const score = bearingConfidence(evidence, tuning.relevance);
  const { matchShare } = tuning.documents;
  return {
    ...passageOf(parent, source),
    score,
    rank_score: rankScore,
    evidence,
    matched_leaves: parent.leaves
      .filter((leaf) => leaf.score >= matchShare * rankScore)
      .map(({ leaf_id, score: own, char_start, char_end, text }) => ({
        leaf_id,
        rank_score: own,
        char_start,
        char_end,
        text,
      })),
    explain: explain
      ? {
          promoted_by: best?.leaf_id ?? '',
          leaves: parent.leaves.flatMap((leaf) => {
            const candidate = candidateOf(asked.candidates, leaf);
            return candidate ? [explainLeaf(leaf.leaf_id, candidate)] : [];
          }),
          rerank_rank: null,
          rerank_score: null,
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

/** Those of the parents' leaves that have no vector yet; where all have one, nothing is asked. */
async function unembeddedOf(
  db: Queryable,
  scope: Scope,
  parents: readonly StoredParent[],
  candidates: ReadonlyMap<string, Candidate>,
): Promise<Set<string>> {
  const found = parents.flatMap(({ leaves }) => leaves);
  const uncompared = found.filter((leaf) => (candidateOf(candidates, leaf)?.denseScore ?? null) === null);
  const ids = uncompared.map(({ leaf_id }) => leaf_id);
  return ids.length > 0 ? selectWithoutVector(db, scope, ids) : new Set();
}

/**
 * Searches a project's documents: leaves are ranked by words, by vectors or by both, and the parents of the best come
 * back, each once, best first, with the confidence that it bears on the query. There are fewer than `limit` only if no
 * more parents have a leaf that the filters and the mode let through; how confident is enough is for the caller to say
 * (`aboveFloor`).
 *
 * @param db outside a transaction, where its statements can run side by side
 * @returns how they were found too: `lexical_fallback` when the mode needs a vector and there is none, of the query or of
 *   anything that it could be compared with
 */
export async function searchDocuments(
  db: Queryable,
  scope: Scope,
  query: DocumentQuery,
  tuning: RetrievalTuning = retrievalTuning,
): Promise<FoundSections> {
  const { strategy, ...plan } = planSearch(query.mode, query.vector);
  const { text, filters, limit, explain } = query;
  const { fusionWeight, standingSpan } = query.calibration;
  const leaves = { text, fusionWeight, filters, ...plan };
  const { leavesPerParent, minDepth, widening } = tuning.documents;
  let depth = Math.max(minDepth, leavesPerParent * limit);
  let retried = false;
  for (;;) {
    const ranked = await rankLeaves(db, scope, leaves, depth, tuning);
    const { candidates, more, ordinary, sections: considered, vectorsPending, phrases, respelled } = ranked;
    if (plan.vector !== null && ordinary === null && vectorsPending > 0) {
      // words alone, which a search by meaning would not go by else
      return searchDocuments(db, scope, { ...query, vector: null }, tuning);
    }
    if (candidates.size === 0 && !more) {
      return { hits: [], considered, strategy, vectorsPending, reading: readingOf(phrases, respelled, []) };
    }
    const hits = [...candidates.values()];
    const { parents, complete } = await bestParents(db, scope, hits, limit, tuning.documents);
    if (!complete && !retried) {
      // a file's version was replaced between the two reads: the new one is there to be ranked
      retried = true;
    } else if (parents.length >= limit || !more) {
      const isPartly = plan.vector !== null && vectorsPending > 0;
      const unembedded = isPartly ? await unembeddedOf(db, scope, parents, candidates) : new Set<string>();
      const words = askedWords(text, ranked.counts, ranked);
      const asked = { words, candidates, ordinary, standingSpan, unembedded };
      const shape = { source: sourceOf(scope), explain, tuning };
      const passages = parents.map((parent) => toPassage(parent, asked, shape));
      const texts = parents.map((parent) => `${parent.breadcrumb}\n${parent.text}`);
      const reading = readingOf(phrases, respelled, texts);
      return { hits: passages, considered, strategy, vectorsPending, reading };
    } else {
      depth *= widening;
    }
  }
}
