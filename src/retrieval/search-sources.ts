import type { Queryable } from '../db/database.ts';
import { type Scope, type Source, scopeOfSource } from '../scope.ts';
import { type DocumentQuery, searchDocuments } from './documents.ts';
import { mergeSources } from './merge-sources.ts';
import type { FoundSections } from './passage.ts';
import { mergeReadings } from './reading.ts';
import { planSearch } from './search-plan.ts';

/**
 * Searches the documents of a project, of the library, or of both side by side, with one vector.
 *
 * @param db outside a transaction, where its statements can run side by side
 * @param scope the project's
 * @returns one ranking, with up to `limit` of each source; which of them have the first places is for `keepPlaces` to say
 */
export async function searchSources(
  db: Queryable,
  scope: Scope,
  sources: readonly Source[],
  query: DocumentQuery,
): Promise<FoundSections> {
  const found = await Promise.all(
    [...new Set(sources)].map((source) => searchDocuments(db, scopeOfSource(scope, source), query)),
  );
  const planned = planSearch(query.mode, query.vector).strategy;
  const strategies = new Set(
    found.filter(({ considered }) => considered > 0).map(({ strategy }) => strategy),
  );
  const [fallback] = strategies;
  return {
    hits: mergeSources(found.flatMap(({ hits }) => hits)),
    considered: found.reduce((sum, { considered }) => sum + considered, 0),
    // a source that has nothing to find says nothing
    strategy: strategies.has(planned) || !fallback ? planned : fallback,
    vectorsPending: found.reduce((sum, { vectorsPending }) => sum + vectorsPending, 0),
    reading: mergeReadings(found.map(({ reading }) => reading)),
  };
}
