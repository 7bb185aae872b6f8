import { chunkingSchema } from '../src/contract/chunking.ts';
import { chunkDocument } from '../src/documents/chunking/chunk.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import { readRows } from './retrieval-data.ts';
import { ndcgAt } from './retrieval-metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';

const SET = 'scifact';
/** Parents asked for: an abstract may have two, and 10 abstracts are wanted. */
const PARENTS = 20;

/** Scientific claims, and the abstracts that speak for or against them: each abstract a file. */
export const scifact: RetrievalSet = {
  name: SET,
  folder: SET,
  isReranked: true,
  figures: [
    { name: 'nDCG@10', floor: 0.673, goal: 0.72, published: 'BM25 .679, MiniLM .645, bge-small .720' },
  ],

  async prepare(store) {
    const corpus = readRows<{ id: string; title: string; text: string }>(SET, 'corpus.jsonl.gz');
    const questions = readRows<{ query: string; relevant: string[] }>(SET, 'dev.jsonl');
    const scope = await store.addProject(SET);
    const chunking = chunkingSchema.parse({ strategy: 'hierarchical' });
    await store.addDocuments(
      scope,
      corpus.map(({ id, title, text }) => {
        const markdown = `# ${title}\n\n${text}\n`;
        const filename = `${id}.md`;
        return {
          filename,
          ...chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), { filename, chunking }),
        };
      }),
    );

    return async (search) => {
      const scores: number[] = [];
      for (const { query, relevant } of questions) {
        const passages = await search.findDocuments(scope, query, PARENTS);
        const found = [...new Set(passages.map(({ filename }) => filename.replace(/\.md$/, '')))];
        scores.push(ndcgAt(10)(found, relevant.map(String)));
      }
      return { 'nDCG@10': scores };
    };
  },
};
