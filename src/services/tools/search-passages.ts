import type { SearchDatabase } from '../../db/search-database.ts';
import { aboveFloor } from '../../retrieval/floor.ts';
import { likeliestFile } from '../../retrieval/likeliest-file.ts';
import type { Passage } from '../../retrieval/passage.ts';
import type { QueryEmbedder } from '../../retrieval/query-vector.ts';
import type { Reranker } from '../../retrieval/rerank.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';
import { storableText } from '../../text/storable.ts';
import { type DistinctDocuments, findDistinct, givePlaces } from '../distinct-documents.ts';
import { emptyLibraryNote } from '../empty-library.ts';
import type { ToolContext, ToolOutput } from './tool.ts';

export interface PassageSearchDeps {
  searchDb: SearchDatabase;
  embedder: QueryEmbedder;
  /** Null: there is none. */
  reranker: Reranker | null;
}

/** Sections wanted of a search, at most. */
export const MOST_SECTIONS = 8;

/**
 * The sections that bear on a query, with their text; when none does, a line that says so and which file is likeliest to.
 *
 * @param filenames only these files; none: all
 */
export async function searchPassages(
  { searchDb, embedder, reranker }: PassageSearchDeps,
  { scope, sources, signal, onSpent }: Pick<ToolContext, 'scope' | 'sources' | 'signal' | 'onSpent'>,
  { query, filenames, limit }: { query: string; filenames: readonly string[]; limit: number },
): Promise<ToolOutput> {
  const text = storableText(query);
  const asked = {
    text,
    vector: await embedder.embed(text, signal, onSpent),
    calibration: embedder.calibration,
    limit,
    mode: embedder.mode,
    filters: { filenames: filenames.map((name) => storableText(name)), headerPath: [], mediaTypes: [] },
    explain: false,
  };
  const db = await searchDb.current();
  const found = await findDistinct(db, scope, sources, asked, { reranker, signal, onSpent });
  const { floor } = retrievalTuning.relevance;
  const best = givePlaces(found, limit, floor).hits.slice(0, limit);
  const { hits } = aboveFloor(best, floor);
  const most = likeliestFile(found.hits);
  const likeliest = most === null ? '' : ` The file likeliest to is ${JSON.stringify(most)}.`;
  const none =
    hits.length === 0 ? [`None of the ${found.considered} sections searched bears on this.${likeliest}`] : [];
  // where something was found, that the library has nothing is beside the point
  const empty = hits.length === 0 ? await emptyLibraryNote(db, scope, sources, found.hits) : null;
  return {
    lines: [
      ...none,
      ...(empty === null ? [] : [empty]),
      ...hits.flatMap((hit) => copyLine(hit, found.copies)),
    ],
    passages: hits.map((passage) => ({ passage, start: 0, end: passage.text.length })),
  };
}

/** That a section stands in other files as well. */
function copyLine(
  { filename, header_path, parent_id }: Passage,
  copies: DistinctDocuments['copies'],
): string[] {
  const others = copies.get(parent_id) ?? [];
  if (others.length === 0) return [];
  const place = [filename, ...header_path].join(' > ');
  const names = [...new Set(others.map((other) => JSON.stringify(other.filename)))].join(', ');
  return [`Nearly the same text as in ${JSON.stringify(place)} stands in ${names}, too.`];
}
