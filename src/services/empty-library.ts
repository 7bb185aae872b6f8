import type { Queryable } from '../db/database.ts';
import { countReadableFiles } from '../db/files.ts';
import { libraryScope, type Scope, type Source } from '../scope.ts';

/**
 * That the library was searched and has nothing to find, and what to do about it; null when it was not searched, or has
 * something.
 *
 * @param hits what was found in the sources
 */
export async function emptyLibraryNote(
  db: Queryable,
  { workspaceId }: Scope,
  sources: readonly Source[],
  hits: readonly { source: Source }[],
): Promise<string | null> {
  const isSilent = sources.includes('library') && !hits.some(({ source }) => source === 'library');
  if (!isSilent) return null;
  const { files, readable } = await countReadableFiles(db, libraryScope(workspaceId));
  if (readable > 0) return null;
  if (files === 0) return 'The library is empty. Upload documents with POST /library/files.';
  return `None of the ${files} files of the library can be searched yet. GET /library/files says how each stands.`;
}
