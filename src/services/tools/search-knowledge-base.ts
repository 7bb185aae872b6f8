import { z } from 'zod';
import type { Queryable } from '../../db/database.ts';
import { countReadableFiles } from '../../db/files.ts';
import { libraryScope } from '../../scope.ts';
import { MOST_SECTIONS, type PassageSearchDeps, searchPassages } from './search-passages.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  query: z.string().trim().min(1).max(2_000).describe('What is looked for, in a few words.'),
  limit: z.int().min(1).max(MOST_SECTIONS).default(4).describe('Sections wanted.'),
});

const EMPTY =
  'The knowledge base is empty: nobody has put a document into the library of this workspace yet. POST /library/files adds some. Until then only the files of the project can answer.';

/** The sections of the workspace's library that bear on a query, with their text. */
export function searchKnowledgeBase(deps: PassageSearchDeps & { db: Queryable }): Tool<typeof input> {
  return {
    name: 'search_knowledge_base',
    kind: 'library',
    spends: true,
    description:
      "Searches the knowledge base, which is the library that all projects share (policies, guides, case studies), and gives its sections, best first. For questions that ask for it, or for examples and rules from elsewhere. Not for the project's own files.",
    input,
    async run({ query, limit }, where) {
      const { readable } = await countReadableFiles(deps.db, libraryScope(where.scope.workspaceId));
      if (readable === 0) return { lines: [EMPTY], passages: [] };
      return searchPassages(deps, { ...where, sources: ['library'] }, { query, filenames: [], limit });
    },
  };
}
