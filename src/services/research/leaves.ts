import type { SentPassage } from '../../copilot/sections/documents.ts';
import type { Database } from '../../db/database.ts';
import { type LeafPlace, selectLeavesOfParents } from '../../db/leaf-places.ts';
import { libraryScope, type Scope } from '../../scope.ts';

/** The leaves of sections that were shown, of the project's files and of the library's. */
export async function leavesOfShown(
  db: Database,
  scope: Scope,
  shown: readonly SentPassage[],
): Promise<LeafPlace[]> {
  const parents = shown.map(({ passage }) => passage.parent_id);
  if (parents.length === 0) return [];
  const places = [scope, libraryScope(scope.workspaceId)];
  return (await Promise.all(places.map((place) => selectLeavesOfParents(db, place, parents)))).flat();
}
