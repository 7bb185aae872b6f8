import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SearchMode } from '../src/contract/passage.ts';
import type { Database } from '../src/db/database.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { makesVectors } from '../src/embeddings/off.ts';
import { createQueryEmbedder } from '../src/retrieval/query-vector.ts';
import type { Reranker } from '../src/retrieval/rerank.ts';
import type { EvalContexts } from './contexts.ts';
import { chunking } from './retrieval-chunking.ts';
import { contextual } from './retrieval-contextual.ts';
import { evalDir } from './retrieval-data.ts';
import { withEvalDatabase } from './retrieval-database.ts';
import { docsQa } from './retrieval-docs-qa.ts';
import { languages } from './retrieval-languages.ts';
import { locomo } from './retrieval-locomo.ts';
import { scifact } from './retrieval-scifact.ts';
import { createEvalSearch, type EvalSearch } from './retrieval-search.ts';
import { sections } from './retrieval-sections.ts';
import type { Figure, QuestionScores, RetrievalSet } from './retrieval-set.ts';
import type { EvalSettings } from './retrieval-settings.ts';
import { createEvalStore } from './retrieval-store.ts';
import { type ModeScores, type RetrievalRow, rowOf } from './retrieval-table.ts';

const SETS: RetrievalSet[] = [docsQa, chunking, contextual, scifact, locomo, sections, languages];
const MODES: SearchMode[] = ['semantic', 'lexical', 'hybrid'];

export const RETRIEVAL_SETS: string[] = SETS.map((set) => set.name);

/** The variants whose texts are indexed alike: those can share what is stored. */
function byIndex(variants: readonly EvalSettings[]): EvalSettings[][] {
  const groups = new Map<string, EvalSettings[]>();
  for (const settings of variants) {
    const key = JSON.stringify(settings.index);
    groups.set(key, [...(groups.get(key) ?? []), settings]);
  }
  return [...groups.values()];
}

type Measure = Awaited<ReturnType<RetrievalSet['prepare']>>;
type SearchIn = (mode: SearchMode, reranker?: Reranker) => EvalSearch;

async function measure(
  set: RetrievalSet,
  run: Measure,
  {
    searchIn,
    modes,
    reranker,
    placed,
  }: {
    searchIn: SearchIn;
    modes: readonly SearchMode[];
    reranker: Reranker | null;
    /** The same over leaves with contexts. */
    placed: Measure | null;
  },
): Promise<RetrievalRow[]> {
  const byMode = new Map<SearchMode, QuestionScores>();
  for (const mode of modes) byMode.set(mode, await run(searchIn(mode)));
  const reranked = reranker && set.isReranked ? await run(searchIn('hybrid', reranker)) : null;
  const contextual = placed && (await placed(searchIn(modes.at(-1) ?? 'hybrid')));
  const scoresOf = ({ name }: Figure): ModeScores => ({
    semantic: byMode.get('semantic')?.[name],
    lexical: byMode.get('lexical')?.[name],
    hybrid: byMode.get('hybrid')?.[name],
    ...(reranker && { reranked: reranked?.[name] }),
    ...(contextual && { contextual: contextual[name] }),
  });
  return set.figures.map((figure) => rowOf(set.name, figure, scoresOf(figure)));
}

/** The figures of a set with each of the variants, in their order. */
async function measureAll(
  set: RetrievalSet,
  variants: readonly EvalSettings[],
  {
    db,
    model,
    reranker,
    contexts,
  }: { db: Database; model: EmbeddingModel; reranker: Reranker | null; contexts: EvalContexts | null },
): Promise<RetrievalRow[][]> {
  const embedder = createQueryEmbedder(model, { cacheSize: 5_000 });
  const modes: readonly SearchMode[] = makesVectors(model) ? MODES : ['lexical'];
  const measured = new Map<EvalSettings, RetrievalRow[]>();
  for (const [first, ...others] of byIndex(variants)) {
    if (!first) continue;
    const run = await set.prepare(createEvalStore(db, model, first.index));
    const placed = contexts && (await set.prepare(createEvalStore(db, model, first.index, contexts)));
    for (const settings of [first, ...others]) {
      const searchIn: SearchIn = (mode, orderedBy) =>
        createEvalSearch(db, embedder, mode, settings, orderedBy);
      measured.set(settings, await measure(set, run, { searchIn, modes, reranker, placed }));
    }
  }
  return variants.map((settings) => measured.get(settings) ?? []);
}

/**
 * Measures document and turn retrieval on the sets of EVAL_DIR through the product's own pipeline, with the local model
 * on an embedded database: dense, lexical and hybrid side by side. A set that is not there is skipped, and said so.
 *
 * @param names sets to run
 * @param variants what to rank by; a set is stored once for all that index alike
 * @param beside.reranker measured beside the search alone; null: none
 * @param beside.contexts the same, of what writes contexts on the leaves
 * @param onSet told of each set as it is done: its rows with each variant, in their order
 */
export async function runRetrievalEval(
  names: readonly string[],
  variants: readonly EvalSettings[],
  { reranker, contexts }: { reranker: Reranker | null; contexts: EvalContexts | null },
  onSet: (rows: RetrievalRow[][]) => void,
): Promise<void> {
  await withEvalDatabase(async (parts) => {
    for (const set of SETS) {
      if (!names.includes(set.name)) continue;
      if (existsSync(resolve(evalDir(), set.folder)))
        onSet(await measureAll(set, variants, { ...parts, reranker, contexts }));
      else console.log(`${set.name.padEnd(22)}skipped: ${set.folder} is not in ${evalDir()}`);
    }
  });
}
