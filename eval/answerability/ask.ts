import type { SearchMode } from '../../src/contract/passage.ts';
import type { Evidence } from '../../src/retrieval/bearing.ts';
import { createQueryEmbedder } from '../../src/retrieval/query-vector.ts';
import { documentText, quoteOccurs } from '../documents/text.ts';
import { withEvalDatabase } from '../retrieval-database.ts';
import { createEvalSearch } from '../retrieval-search.ts';
import type { EvalSettings } from '../retrieval-settings.ts';
import { createEvalStore } from '../retrieval-store.ts';
import type { Item } from './item.ts';
import { type Answerability, evidenceText } from './load.ts';
import { storeProjects } from './store.ts';

/** Passages that a turn or a search shows at most where it is told nothing else. */
export const PASSAGES = 4;

/** A passage that a question found. */
export interface FoundPassage {
  score: number;
  evidence: Evidence;
  /** Whether the answer stands in it. */
  holds: boolean;
}

/** A question and the passages it found, whatever their scores. */
export interface Asked {
  item: Item;
  passages: FoundPassage[];
}

/** The words that answer, by the item's id. */
async function answers({ projects, items }: Answerability): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const { name, documents } of projects) {
    for (const document of documents) texts.set(`${name}/${document.name}`, await documentText(document));
  }
  return new Map(
    items.flatMap((item) => {
      if (!item.answerable) return [];
      const text = texts.get(`${item.project}/${item.evidence.document}`) ?? '';
      const words = evidenceText(item.evidence, text);
      return words === null ? [] : [[item.id, words] as const];
    }),
  );
}

/** Stores the projects as the service does and asks each question of its own, once in each mode. */
export async function askAll(
  set: Answerability,
  modes: readonly SearchMode[],
  settings: EvalSettings,
): Promise<Map<SearchMode, Asked[]>> {
  const words = await answers(set);
  return withEvalDatabase(async ({ db, model }) => {
    const scopes = await storeProjects(createEvalStore(db, model, settings.index), set.projects);
    const embedder = createQueryEmbedder(model, { cacheSize: 1_000 });
    const asked = new Map<SearchMode, Asked[]>();
    for (const mode of modes) {
      const search = createEvalSearch(db, embedder, mode, settings);
      const ofMode: Asked[] = [];
      for (const item of set.items) {
        const scope = scopes.get(item.project);
        if (!scope) continue;
        const hits = await search.findDocuments(scope, item.question, PASSAGES);
        const answer = words.get(item.id);
        const passages = hits.map(({ score, evidence, text }) => ({
          score,
          evidence,
          holds: answer !== undefined && quoteOccurs(text, answer),
        }));
        ofMode.push({ item, passages });
      }
      asked.set(mode, ofMode);
    }
    return asked;
  });
}
