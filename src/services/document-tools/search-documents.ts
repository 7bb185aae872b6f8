import { z } from 'zod';
import type { Queryable } from '../../db/database.ts';
import { searchDocuments as search } from '../../retrieval/documents.ts';
import { aboveFloor } from '../../retrieval/floor.ts';
import { likeliestFile } from '../../retrieval/likeliest-file.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';
import { storableText } from '../../text/storable.ts';
import type { DocumentTool } from './tool.ts';

const input = z.strictObject({
  query: z.string().trim().min(1).max(2_000),
  filenames: z.array(z.string().max(2_000)).max(50).default([]).describe('Only these files; none: all.'),
  limit: z.int().min(1).max(8).default(4).describe('Sections wanted.'),
});

/** The sections of all documents that bear on a query, with their text. */
export function searchDocuments(db: Queryable, embedder: QueryEmbedder): DocumentTool<typeof input> {
  return {
    name: 'search_documents',
    description:
      "Searches the project's documents and gives the sections themselves, best first. For what the sections in the message do not answer; name files to look in them alone.",
    input,
    async run({ query, filenames, limit }, { scope, signal }) {
      const text = storableText(query);
      const found = await search(db, scope, {
        text,
        vector: await embedder.embed(text, signal),
        calibration: embedder.calibration,
        limit,
        mode: embedder.mode,
        filters: { filenames: filenames.map((name) => storableText(name)), headerPath: [], mediaTypes: [] },
        explain: false,
      });
      const { hits } = aboveFloor(found.hits, retrievalTuning.relevance.floor);
      const most = likeliestFile(found.hits);
      const likeliest = most === null ? '' : ` The file likeliest to is ${JSON.stringify(most)}.`;
      return {
        lines:
          hits.length === 0
            ? [`None of the ${found.considered} sections searched bears on this.${likeliest}`]
            : [],
        passages: hits.map((passage) => ({ passage, start: 0, end: passage.text.length })),
      };
    },
  };
}
