import { asksBroadly } from '../copilot/broad-question.ts';
import { countCopiesOnce } from '../copilot/copies.ts';
import type { Queryable } from '../db/database.ts';
import type { DocumentQuery } from '../retrieval/documents.ts';
import {
  type Candidates,
  type FoundDocuments,
  findCandidates,
  type Ordering,
  orderCandidates,
} from '../retrieval/find-documents.ts';
import { keepPlaces } from '../retrieval/merge-sources.ts';
import type { FoundPassage, Passage } from '../retrieval/passage.ts';
import { spreadOverFiles } from '../retrieval/spread-files.ts';
import type { Scope, Source } from '../scope.ts';

/** A question that asks for much is looked up so many times as widely as it is answered. */
const BROAD = 3;
/** Where copies leave fewer than are wanted, so many times as many are looked up, once. */
const WIDER = 4;

/** Documents that a search has found, copies counted once. */
export interface DistinctDocuments extends FoundDocuments {
  /** Passages of other files that nearly repeat one, by its parent. */
  copies: ReadonlyMap<string, readonly Passage[]>;
  /** The question asks for more than one place in one file. */
  isBroad: boolean;
}

/**
 * Searches documents, counts passages of several files that nearly repeat each other once, and has a reranker order what is
 * left. Of copies the project's stays, else the best.
 *
 * @returns up to `limit` passages of each source and, of a broad question, as many more to spread over files
 */
export async function findDistinct(
  db: Queryable,
  scope: Scope,
  sources: readonly Source[],
  query: DocumentQuery,
  ordering: Ordering,
): Promise<DistinctDocuments> {
  const isBroad = asksBroadly(query.text);
  const wanted = query.limit * (isBroad ? BROAD : 1);
  const find = (limit: number): Promise<Candidates> =>
    findCandidates(db, scope, sources, { ...query, limit }, ordering.reranker);
  let found = await find(wanted);
  let distinct = distinctOf(found.hits);
  const hadMore = found.hits.length >= wanted;
  if (distinct.hits.length < query.limit && hadMore) {
    found = await find(wanted * WIDER);
    distinct = distinctOf(found.hits);
  }
  const ordered = await orderCandidates({ ...found, limit: wanted, hits: distinct.hits }, ordering);
  return { ...ordered, copies: distinct.copies, isBroad };
}

function distinctOf(hits: readonly FoundPassage[]) {
  // what the project has itself is what it goes by
  const distinct = countCopiesOnce(
    hits,
    (passage, before) => passage.source === 'project' && before.source === 'library',
  );
  return {
    hits: distinct.map(({ passage }) => passage),
    copies: new Map(
      distinct.flatMap(({ passage, copies }) =>
        copies.length > 0 ? [[passage.parent_id, copies] as const] : [],
      ),
    ),
  };
}

/** Passages in their places. */
interface Placed<H> {
  hits: H[];
  /** The parents of those that have their place for their file. */
  moved: ReadonlySet<string>;
}

/**
 * The ranking with its first `limit` places given: half of them to the project as far as it has what bears on the question, and
 * of a broad question to several files.
 */
export function givePlaces<H extends FoundPassage>(
  { hits, isBroad }: { hits: readonly H[]; isBroad: boolean },
  limit: number,
  minScore: number,
): Placed<H> {
  const kept = keepPlaces(hits, limit, minScore);
  if (!isBroad) return { hits: kept, moved: new Set() };
  const spread = spreadOverFiles(kept, limit, minScore);
  return { hits: spread.hits, moved: new Set([...spread.moved].map(({ parent_id }) => parent_id)) };
}
