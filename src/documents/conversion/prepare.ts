import type { Chunking } from '../../contract/chunking.ts';
import { buildPostings, type Postings } from '../../text/postings.ts';
import { storableText } from '../../text/storable.ts';
import { chunkDocument } from '../chunking/chunk.ts';
import type { Converted } from '../formats/converted.ts';
import { loadParser } from '../formats/load-parser.ts';
import type { DocumentFormat } from '../formats/registry.ts';
import { buildOutline, type Outline } from '../outline/outline.ts';

/** A converted document, cut to sections, parents and leaves: all that can be made of a file without a model. */
export interface PreparedDocument {
  converted: Converted<DocumentFormat>;
  /** Offsets are into `converted.markdown`. */
  document: ReturnType<typeof chunkDocument>;
  /** The leaves' part of the lexical index. */
  postings: Postings;
  /** What stands where: its chunks are the leaves. */
  outline: Outline;
}

/** Makes a converted text storable, cuts it and indexes its words. */
export async function prepareDocument(
  { markdown, ...rest }: Converted<DocumentFormat>,
  { name, chunking }: { name: string; chunking: Chunking },
): Promise<PreparedDocument> {
  const converted = { ...rest, markdown: storableText(markdown) };
  const parse = await loadParser(converted.format);
  const document = parse(converted.markdown, converted.pageStarts);
  const chunked = chunkDocument(document, { filename: name, chunking });
  const outline = buildOutline(document, chunked.leaves);
  return { converted, document: chunked, postings: buildPostings(chunked.leaves), outline };
}
