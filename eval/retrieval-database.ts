import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { openEvalModel } from './embedding-model.ts';

/** Runs something on a database of its own, embedded or at EVAL_DATABASE_URL, with the local model and the vectors it remembers. */
export async function withEvalDatabase<T>(
  run: (parts: { db: Database; model: EmbeddingModel }) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-eval-'));
  const db = await openDatabase({ url: process.env.EVAL_DATABASE_URL, dataDir: folder, poolSize: 4 });
  const model = openEvalModel();
  try {
    await migrate(db);
    return await run({ db, model });
  } finally {
    await model.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }
}
