import type { Queryable } from '../../db/database.ts';
import { searchDocuments } from '../../retrieval/documents.ts';
import { aboveFloor } from '../../retrieval/floor.ts';
import { likeliestFile } from '../../retrieval/likeliest-file.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';
import type { Scope } from '../../scope.ts';
import { storableText } from '../../text/storable.ts';
import type { ToolOutput } from './tool.ts';

export interface PassageSearchDeps {
  db: Queryable;
  embedder: QueryEmbedder;
}

/** Sections wanted of a search, at most. */
export const MOST_SECTIONS = 8;

/**
 * The sections that bear on a query, with their text; when none does, a line that says so and which file is likeliest to.
 *
 * @param filenames only these files; none: all
 */
export async function searchPassages(
  { db, embedder }: PassageSearchDeps,
  scope: Scope,
  { query, filenames, limit }: { query: string; filenames: readonly string[]; limit: number },
  signal: AbortSignal,
): Promise<ToolOutput> {
  const text = storableText(query);
  const found = await searchDocuments(db, scope, {
    text,
    vector: await embedder.embed(text, signal),
    calibration: embedder.calibration,
    limit,
    mode: 'hybrid',
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
}
