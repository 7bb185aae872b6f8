import { DOCS_SET, readDocsQuestions, readPages, sectionsOf, toDocuments } from './docs-pages.ts';
import { reciprocalRankAt } from './retrieval-metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';

/** What a section is worth showing from, where the caller says nothing: the API's `min_confidence`. */
const LEAST_CONFIDENCE = 0.3;
/** Pages without an answer that each question is asked of as well. */
const OTHER_PAGES = 5;

/**
 * The questions over technical documentation, each asked of the page that answers it, and of others: what `sections` of
 * one file answers with. There is no asking by vectors alone.
 */
export const sections: RetrievalSet = {
  name: 'sections',
  folder: DOCS_SET,
  isReranked: false,
  figures: [
    { name: 'MRR', floor: null, goal: 0.85 },
    // share of the questions whose right section is shown, and of those for which an unrelated page shows nothing
    { name: 'shown', floor: null, goal: 0.95 },
    { name: 'silent', floor: null, goal: 0.5 },
  ],

  async prepare(store) {
    const pages = readPages();
    const names = [...pages.keys()];
    const documents = toDocuments(pages);
    const scope = await store.addProject(DOCS_SET);
    await store.addDocuments(scope, documents);
    const leavesOf = new Map(documents.map(({ filename, leaves }) => [filename, leaves]));
    const sectionsAt = (name: string, leafIndex: number): string[] => {
      const [page, leaf] = [pages.get(name), leavesOf.get(name)?.[leafIndex]];
      return page && leaf ? sectionsOf([leaf], page) : [];
    };
    const questions = readDocsQuestions().map(({ query, relevant }) => {
      const answers = (name: string) =>
        pages.get(name)?.sections.some(({ id }) => relevant.includes(id)) ?? false;
      const others = names.filter((name) => !answers(name));
      return { query, relevant, right: names.filter(answers), others };
    });

    return async (search) => {
      if (search.mode === 'semantic') return {};
      const ranks: number[] = [];
      const shown: number[] = [];
      const silent: number[] = [];
      for (const [number, { query, relevant, right, others }] of questions.entries()) {
        for (const name of right) {
          const likely = await search.findLeaves(scope, name, query);
          const found = likely.map(({ leafIndex, score }) => ({ ids: sectionsAt(name, leafIndex), score }));
          const ids = [...new Set(found.flatMap((leaf) => leaf.ids))];
          ranks.push(reciprocalRankAt(ids.length)(ids, relevant));
          const best = found.find((leaf) => leaf.ids.some((id) => relevant.includes(id)));
          shown.push((best?.score ?? 0) >= LEAST_CONFIDENCE ? 1 : 0);
        }
        for (let at = 0; at < OTHER_PAGES; at++) {
          const name = others[(number * OTHER_PAGES + at) % others.length] ?? '';
          const [first] = await search.findLeaves(scope, name, query);
          silent.push((first?.score ?? 0) < LEAST_CONFIDENCE ? 1 : 0);
        }
      }
      return { MRR: ranks, shown, silent };
    };
  },
};
