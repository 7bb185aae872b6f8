import { z } from 'zod';
import type { Queryable } from '../../db/database.ts';
import { aboveFloor } from '../../retrieval/floor.ts';
import { likeliestFile } from '../../retrieval/likeliest-file.ts';
import { keepPlaces } from '../../retrieval/merge-sources.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import { searchSources } from '../../retrieval/search-sources.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';
import { storableText } from '../../text/storable.ts';
import { emptyLibraryNote } from '../empty-library.ts';
import type { DocumentTool } from './tool.ts';

const input = z.strictObject({
  query: z.string().trim().min(1).max(2_000),
  filenames: z.array(z.string().max(2_000)).max(50).default([]).describe('Only these files; none: all.'),
  limit: z.int().min(1).max(8).default(4).describe('Sections wanted.'),
});

/** The sections that bear on a query, with their text: of all documents of the sources. */
export function searchDocuments(db: Queryable, embedder: QueryEmbedder): DocumentTool<typeof input> {
  return {
    name: 'search_documents',
    description:
      "Searches the project's documents and gives the sections themselves, best first. For what the sections in the message do not answer; name files to look in them alone.",
    input,
    async run({ query, filenames, limit }, { scope, sources, signal, onSpent }) {
      const text = storableText(query);
      const found = await searchSources(db, scope, sources, {
        text,
        vector: await embedder.embed(text, signal, onSpent),
        calibration: embedder.calibration,
        limit,
        mode: embedder.mode,
        filters: { filenames: filenames.map((name) => storableText(name)), headerPath: [], mediaTypes: [] },
        explain: false,
      });
      const { floor } = retrievalTuning.relevance;
      const best = keepPlaces(found.hits, limit, floor).slice(0, limit);
      const { hits } = aboveFloor(best, floor);
      const most = likeliestFile(found.hits);
      const likeliest = most === null ? '' : ` The file likeliest to is ${JSON.stringify(most)}.`;
      const none =
        hits.length === 0
          ? [`None of the ${found.considered} sections searched bears on this.${likeliest}`]
          : [];
      const empty = await emptyLibraryNote(db, scope, sources, found.hits);
      return {
        lines: empty === null ? none : [...none, empty],
        passages: hits.map((passage) => ({ passage, start: 0, end: passage.text.length })),
      };
    },
  };
}
