import { DOCS_SET, readDocsQuestions, readPages, sectionsOf, toDocuments } from './docs-pages.ts';
import { type Metric, recallAt, reciprocalRankAt } from './retrieval-metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';

/** Parents asked for: sections may share one, and 10 sections are wanted. */
const PARENTS = 20;
export const DOCS_METRICS: Record<string, Metric> = {
  'MRR@3': reciprocalRankAt(3),
  'recall@3': recallAt(3),
  'recall@10': recallAt(10),
};

/** Questions over technical documentation; what counts is the section, which is what a parent is made of. */
export const docsQa: RetrievalSet = {
  name: DOCS_SET,
  folder: DOCS_SET,
  isReranked: true,
  figures: [
    { name: 'MRR@3', floor: 0.773, goal: 0.82, published: 'voyage-2 .737' },
    { name: 'recall@3', floor: 0.638, goal: 0.72, published: 'voyage-2 .659' },
    { name: 'recall@10', floor: null, goal: 0.88 },
  ],

  async prepare(store) {
    const pages = readPages();
    const questions = readDocsQuestions();
    const scope = await store.addProject(DOCS_SET);
    await store.addDocuments(scope, toDocuments(pages));

    return async (search) => {
      const rankings: string[][] = [];
      for (const { query } of questions) {
        const passages = await search.findDocuments(scope, query, PARENTS);
        const found = passages.flatMap((passage) => {
          const page = pages.get(passage.filename);
          const leaves = passage.matched_leaves.map((leaf) => ({
            charStart: leaf.char_start,
            charEnd: leaf.char_end,
          }));
          return page ? sectionsOf(leaves, page) : [];
        });
        rankings.push([...new Set(found)]);
      }
      return Object.fromEntries(
        Object.entries(DOCS_METRICS).map(([name, metric]) => [
          name,
          questions.map(({ relevant }, index) => metric(rankings[index] ?? [], relevant)),
        ]),
      );
    };
  },
};
