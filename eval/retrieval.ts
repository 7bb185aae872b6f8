import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchMode } from '../src/contract/passage.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { createLocalModel } from '../src/embeddings/local.ts';
import { chunking } from './retrieval-chunking.ts';
import { contextual } from './retrieval-contextual.ts';
import { evalDir } from './retrieval-data.ts';
import { docsQa } from './retrieval-docs-qa.ts';
import { locomo } from './retrieval-locomo.ts';
import { rememberEmbeddings } from './retrieval-model.ts';
import { scifact } from './retrieval-scifact.ts';
import type { Figure, RetrievalSet } from './retrieval-set.ts';
import { createEvalStore, type EvalStore } from './retrieval-store.ts';

const SETS: RetrievalSet[] = [docsQa, chunking, contextual, scifact, locomo];
const MODES: SearchMode[] = ['semantic', 'lexical', 'hybrid'];

export const RETRIEVAL_SETS: string[] = SETS.map((set) => set.name);

/** One figure of one set, in each mode. */
export interface RetrievalRow extends Figure {
  set: string;
  semantic: number;
  lexical: number;
  hybrid: number;
}

const cell = (value: number | null): string => (value === null ? '–' : value.toFixed(3)).padStart(9);

async function measure(set: RetrievalSet, store: EvalStore): Promise<RetrievalRow[]> {
  const run = await set.prepare(store);
  const byMode = new Map<SearchMode, Record<string, number>>();
  for (const mode of MODES) byMode.set(mode, await run(mode));
  const value = (mode: SearchMode, figure: Figure) => byMode.get(mode)?.[figure.name] ?? 0;
  return set.figures.map((figure) => ({
    set: set.name,
    ...figure,
    semantic: value('semantic', figure),
    lexical: value('lexical', figure),
    hybrid: value('hybrid', figure),
  }));
}

function printRows(rows: readonly RetrievalRow[]): void {
  for (const row of rows) {
    let verdict = '';
    if (row.floor !== null && row.hybrid < row.floor) verdict = 'BELOW THE FLOOR';
    else if (row.hybrid < row.goal) verdict = 'below the goal';
    console.log(
      `${row.set.padEnd(22)}${row.name.padEnd(10)}${cell(row.semantic)}${cell(row.lexical)}${cell(row.hybrid)}${cell(row.floor)}${cell(row.goal)}  ${(row.published ?? '').padEnd(40)} ${verdict}`,
    );
  }
}

/**
 * Measures document and turn retrieval on the sets of EVAL_DIR through the product's own pipeline, with the local model
 * on an embedded database: dense, lexical and hybrid side by side. A set that is not there is skipped, and said so.
 *
 * @param names sets to run; all when left out
 */
export async function runRetrievalEval(names: string[] = RETRIEVAL_SETS): Promise<RetrievalRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-eval-'));
  const db = await openDatabase({ url: process.env.EVAL_DATABASE_URL, dataDir: folder, poolSize: 4 });
  const model = rememberEmbeddings(createLocalModel());
  const rows: RetrievalRow[] = [];
  try {
    await migrate(db);
    const store = createEvalStore(db, model);
    console.log(
      `${'set'.padEnd(22)}${'figure'.padEnd(10)}${'dense'.padStart(9)}${'lexical'.padStart(9)}${'hybrid'.padStart(9)}${'floor'.padStart(9)}${'goal'.padStart(9)}  published`,
    );
    for (const set of SETS) {
      if (!names.includes(set.name)) continue;
      if (!existsSync(join(evalDir(), set.name))) {
        console.log(`${set.name.padEnd(22)}skipped: not in ${evalDir()}`);
        continue;
      }
      const measured = await measure(set, store);
      printRows(measured);
      rows.push(...measured);
    }
  } finally {
    await model.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
  return rows;
}
