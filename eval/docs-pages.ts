import { chunkingSchema } from '../src/contract/chunking.ts';
import { chunkDocument } from '../src/documents/chunking/chunk.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import type { StoredDocument } from '../test/helpers/stored-document.ts';
import { readRows } from './retrieval-data.ts';

/** The set of questions over technical documentation, which two evaluations read. */
export const DOCS_SET = 'anthropic-docs-qa';

/** A page of documentation. */
export interface Page {
  doc: string;
  markdown: string;
  sections: { id: string; start: number; end: number }[];
}

/** A question, and the ids of the sections that answer it. */
export interface DocsQuestion {
  query: string;
  relevant: string[];
}

const filenameOf = (page: Page): string =>
  `${page.doc.replace(/^https?:\/\/[^/]+\/(?:en\/)?(?:docs\/)?/, '').replaceAll('/', '-')}.md`;

/** The pages by the names of their files. */
export const readPages = (): Map<string, Page> =>
  new Map(readRows<Page>(DOCS_SET, 'pages.jsonl.gz').map((page) => [filenameOf(page), page]));

export const readDocsQuestions = (): DocsQuestion[] => readRows<DocsQuestion>(DOCS_SET, 'dev.jsonl');

/** The pages as they are stored. */
export function toDocuments(pages: ReadonlyMap<string, Page>): StoredDocument[] {
  const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });
  return [...pages].map(([filename, { markdown }]) => ({
    filename,
    ...chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), { filename, chunking }),
  }));
}

/** The sections that some leaves lie in: best leaf first, of a leaf's the one with the largest part first. */
export function sectionsOf(leaves: readonly { charStart: number; charEnd: number }[], page: Page): string[] {
  const sections = leaves.flatMap((leaf) =>
    page.sections
      .map(({ id, start, end }) => ({
        id,
        shared: Math.min(end, leaf.charEnd) - Math.max(start, leaf.charStart),
      }))
      .filter(({ shared }) => shared > 0)
      .sort((a, b) => b.shared - a.shared)
      .map(({ id }) => id),
  );
  return [...new Set(sections)];
}
