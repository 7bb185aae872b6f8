import type { SentPassage } from '../copilot/sections/documents.ts';
import type { Queryable } from '../db/database.ts';
import { type LeafPlace, selectLeavesOfParents } from '../db/leaf-places.ts';
import { type Scope, SOURCES, scopeOfSource } from '../scope.ts';

/** The leaves of sections that were shown, of the project's files and of the library's: citations point into them. */
export async function leavesOfShown(
  db: Queryable,
  scope: Scope,
  shown: readonly SentPassage[],
): Promise<LeafPlace[]> {
  const read = SOURCES.map((source) => {
    const parents = shown.flatMap(({ passage }) => (passage.source === source ? [passage.parent_id] : []));
    return parents.length === 0 ? [] : selectLeavesOfParents(db, scopeOfSource(scope, source), parents);
  });
  return (await Promise.all(read)).flat();
}
