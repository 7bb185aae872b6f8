import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { embedWithCache } from '../embeddings/cache.ts';
import type { EmbeddingModel } from '../embeddings/model.ts';
import { toVectorText } from '../embeddings/vector-text.ts';
import { recordEmbeddingModel } from './embedding-settings.ts';

/** Texts embedded at a time: the memory of one round, and what a crash repeats at most. */
const ROUND = 256;

interface Embeddable {
  workspace_id: string;
  project_id: string;
  key: string;
  text: string;
}

/** What is embedded, in the order of its key. Each form of row says how its vectors are put in place. */
const SOURCES = [
  {
    select: `select workspace_id, project_id, leaf_id as key, breadcrumb || E'\\n\\n' || text as text
             from document_leaves order by 1, 2, 3`,
    replace: `insert into leaf_vectors (workspace_id, project_id, leaf_id, file_id, embedding)
              select w, p, k, l.file_id, e::vector
              from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as v(w, p, k, e)
              join document_leaves l on l.workspace_id = w and l.project_id = p and l.leaf_id = k
              on conflict (workspace_id, project_id, leaf_id) do update set embedding = excluded.embedding`,
  },
  {
    select: `select workspace_id, project_id, turn_number::text as key, summary as text
             from turn_summaries order by 1, 2, 3`,
    replace: `update turn_summaries t set embedding = e::vector
              from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as v(w, p, k, e)
              where t.workspace_id = w and t.project_id = p and t.turn_number = k::int`,
  },
];

const inputOf = (row: Embeddable) => ({
  hash: createHash('sha256').update(row.text).digest('hex'),
  text: row.text,
});

function* rounds<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROUND) yield rows.slice(start, start + ROUND);
}

/**
 * Embeds everything again with another model. The new vectors are made beside the old ones, in the embedding cache, so
 * that a run that is broken off goes on where it was; then all are put in place in one transaction. The service must
 * not run meanwhile.
 *
 * @param onProgress called with how many texts have been embedded
 * @returns how many texts there were
 */
export async function reindex(
  db: Database,
  model: EmbeddingModel,
  onProgress: (done: number) => void,
): Promise<number> {
  const tables = await Promise.all(
    SOURCES.map(async ({ select }) => (await db.query<Embeddable>(select)).rows),
  );
  const embed = (rows: readonly Embeddable[]) =>
    embedWithCache(db, model, rows.map(inputOf), { inputType: 'document' });
  let done = 0;
  const vectors: string[][] = [];
  for (const rows of tables) {
    const made: string[] = [];
    for (const round of rounds(rows)) {
      made.push(...(await embed(round)).vectors.map(toVectorText));
      done += round.length;
      onProgress(done);
    }
    vectors.push(made);
  }
  await db.transaction(async (tx) => {
    for (const [table, rows] of tables.entries()) {
      const source = SOURCES[table];
      if (!source) continue;
      let start = 0;
      for (const round of rounds(rows)) {
        await tx.query(source.replace, [
          round.map((row) => row.workspace_id),
          round.map((row) => row.project_id),
          round.map((row) => row.key),
          (vectors[table] ?? []).slice(start, start + round.length),
        ]);
        start += round.length;
      }
    }
    await recordEmbeddingModel(tx, model);
  });
  return done;
}
