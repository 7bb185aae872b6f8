import { z } from 'zod';
import { MOST_SECTIONS, type PassageSearchDeps, searchPassages } from './search-passages.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({
  query: z.string().trim().min(1).max(2_000),
  filenames: z.array(z.string().max(2_000)).max(50).default([]).describe('Only these files; none: all.'),
  limit: z.int().min(1).max(MOST_SECTIONS).default(4).describe('Sections wanted.'),
});

/** The sections of all documents that bear on a query, with their text. */
export function searchDocuments(deps: PassageSearchDeps): Tool<typeof input> {
  return {
    name: 'search_documents',
    kind: 'project',
    spends: true,
    description:
      "Searches the project's documents and gives the sections themselves, best first. For what the sections in the message do not answer; name files to look in them alone. Not for what a document says as a whole.",
    input,
    run: (asked, where) => searchPassages(deps, where, asked),
  };
}
