import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { sourceOf } from '../../scope.ts';
import { requireFile } from '../file-lookup.ts';
import { inSources } from './in-sources.ts';
import { MOST_SECTIONS, type PassageSearchDeps, searchPassages } from './search-passages.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  filename: z.string().min(1).max(2_000).describe('As list_project_files gives it.'),
  query: z.string().trim().min(1).max(2_000).describe('What is looked for, in a few words.'),
  limit: z.int().min(1).max(MOST_SECTIONS).default(4).describe('Sections wanted.'),
});

/** The sections of one document that bear on a query, with their text. */
export function searchInDocument(deps: PassageSearchDeps & { db: Database }): Tool<typeof input> {
  return {
    name: 'search_in_document',
    kind: 'project',
    spends: true,
    description:
      'Searches one document of the project and gives its sections that bear on the query, with their text, best first. For a fact that a named document is to have. Not for a document as a whole (summarize_document), and not where the question names no document (search_documents).',
    input,
    async run({ filename, query, limit }, where) {
      const { file, source } = await inSources(where, async (scope) => ({
        ...(await requireFile(deps.db, scope, filename)),
        source: sourceOf(scope),
      }));
      if (file.searchable_version === null) {
        const detail = file.last_error?.message ?? `Its status is ${file.status}.`;
        return { lines: [`"${file.name}" cannot be searched. ${detail}`], passages: [] };
      }
      return searchPassages(deps, { ...where, sources: [source] }, { query, filenames: [file.name], limit });
    },
  };
}
