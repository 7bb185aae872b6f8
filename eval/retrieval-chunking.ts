import { chunkingSchema } from '../src/contract/chunking.ts';
import { chunkDocument } from '../src/documents/chunking/chunk.ts';
import type { MatchedLeaf } from '../src/retrieval/passage.ts';
import { parseDocument } from '../test/helpers/parse-document.ts';
import { readGzip, readRows } from './retrieval-data.ts';
import { mean } from './retrieval-metrics.ts';
import type { RetrievalSet } from './retrieval-set.ts';

interface Span {
  start: number;
  end: number;
}

interface Question {
  corpus: string;
  question: string;
  references: Span[];
}

type Retrieved = Pick<MatchedLeaf, 'char_start' | 'char_end'> & { corpus: string };

const SET = 'chunking-eval';
const CORPORA = ['chatlogs', 'finance', 'pubmed', 'state_of_the_union', 'wikitexts'];
/** Leaves that a question retrieves. */
const LEAVES = 5;

const sizeOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0);

/** Joins spans that overlap, so that no character counts twice. */
function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}

/** Recall of the references' characters, and intersection over union, as the set's authors compute them. */
function score(question: Question, retrieved: readonly Retrieved[]): { recall: number; iou: number } {
  const spans = retrieved.map(({ char_start, char_end }) => ({ start: char_start, end: char_end }));
  const covering = union(spans.filter((_, index) => retrieved[index]?.corpus === question.corpus));
  const references = union(question.references);
  const shared = references.flatMap((reference) =>
    covering.map((span) => ({
      start: Math.max(span.start, reference.start),
      end: Math.min(span.end, reference.end),
    })),
  );
  const found = sizeOf(shared.filter(({ start, end }) => end > start));
  const sought = sizeOf(references);
  return { recall: found / sought, iou: found / (sizeOf(spans) + sought - found) };
}

/**
 * Excerpts of five long texts without headings. The unit is the leaf: it is what is searched and what a citation points
 * at, while a parent is the reading context around it.
 */
export const chunking: RetrievalSet = {
  name: SET,
  folder: SET,
  isReranked: true,
  figures: [
    { name: 'recall', floor: 0.835, goal: 0.9, published: 'MiniLM .757, 3-large .881 at 200 tokens' },
    { name: 'IoU', floor: 0.067, goal: 0.075, published: 'MiniLM .065, 3-large .069 at 200 tokens' },
  ],

  async prepare(store) {
    const questions = readRows<Question>(SET, 'dev.jsonl');
    const scope = await store.addProject(SET);
    const chunkingOptions = chunkingSchema.parse({ strategy: 'hierarchical' });
    const documents = CORPORA.map((corpus) => {
      const filename = `${corpus}.md`;
      const markdown = readGzip(SET, `corpora/${corpus}.md.gz`);
      return {
        filename,
        ...chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), {
          filename,
          chunking: chunkingOptions,
        }),
      };
    });
    await store.addDocuments(scope, documents);
    const leaves = documents.flatMap((document) => document.leaves);
    console.error(
      `  ${SET}: ${leaves.length} leaves of ${Math.round(mean(leaves.map(({ text }) => text.length)))} characters`,
    );

    return async (search) => {
      const scores: { recall: number; iou: number }[] = [];
      for (const question of questions) {
        const passages = await search.findDocuments(scope, question.question, 2 * LEAVES);
        const best = passages
          .flatMap(({ filename, matched_leaves }) =>
            matched_leaves.map((leaf) => ({ ...leaf, corpus: filename.replace(/\.md$/, '') })),
          )
          .sort((a, b) => b.rank_score - a.rank_score)
          .slice(0, LEAVES);
        scores.push(score(question, best));
      }
      return { recall: scores.map(({ recall }) => recall), IoU: scores.map(({ iou }) => iou) };
    };
  },
};
