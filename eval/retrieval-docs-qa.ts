import { chunkDocument } from '../src/documents/chunking/chunk.ts';
import { chunkingSchema } from '../src/documents/chunking/settings.ts';
import type { Passage } from '../src/retrieval/passage.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import { readRows } from './retrieval-data.ts';
import { type Metric, mean, recallAt, reciprocalRankAt } from './retrieval-metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';

interface Page {
  doc: string;
  markdown: string;
  sections: { id: string; start: number; end: number }[];
}

const SET = 'anthropic-docs-qa';
/** Parents asked for: sections may share one, and 10 sections are wanted. */
const PARENTS = 20;
const METRICS: Record<string, Metric> = {
  'MRR@3': reciprocalRankAt(3),
  'recall@3': recallAt(3),
  'recall@10': recallAt(10),
};

const filenameOf = (page: Page): string =>
  `${page.doc.replace(/^https?:\/\/[^/]+\/(?:en\/)?(?:docs\/)?/, '').replaceAll('/', '-')}.md`;

/** Sections that a passage stands for: those that its matched leaves lie in, best leaf first, largest part first. */
function sectionsOf(passage: Passage, page: Page): string[] {
  const sections = passage.matchedLeaves.flatMap((leaf) =>
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

/** Questions over technical documentation; what counts is the section, which is what a parent is made of. */
export const docsQa: RetrievalSet = {
  name: SET,
  figures: [
    { name: 'MRR@3', floor: 0.773, goal: 0.82, published: 'voyage-2 .737' },
    { name: 'recall@3', floor: 0.638, goal: 0.72, published: 'voyage-2 .659' },
    { name: 'recall@10', floor: null, goal: 0.88 },
  ],

  async prepare(store) {
    const pages = new Map(readRows<Page>(SET, 'pages.jsonl.gz').map((page) => [filenameOf(page), page]));
    const questions = readRows<{ query: string; relevant: string[] }>(SET, 'dev.jsonl');
    const scope = await store.addProject(SET);
    const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });
    await store.addDocuments(
      scope,
      [...pages].map(([filename, { markdown }]) => ({
        filename,
        ...chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), { filename, chunking }),
      })),
    );

    return async (mode) => {
      const rankings: string[][] = [];
      for (const { query } of questions) {
        const passages = await store.findDocuments(scope, query, PARENTS, mode);
        const found = passages.flatMap((passage) => {
          const page = pages.get(passage.filename);
          return page ? sectionsOf(passage, page) : [];
        });
        rankings.push([...new Set(found)]);
      }
      return Object.fromEntries(
        Object.entries(METRICS).map(([name, metric]) => [
          name,
          mean(questions.map(({ relevant }, index) => metric(rankings[index] ?? [], relevant))),
        ]),
      );
    };
  },
};
