import { createLocalModel } from '../src/embeddings/local.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { benchTargets, withBenchDatabase } from './bench-database.ts';
import { startService } from './bench-service.ts';
import { type Percentiles, percentilesOf } from './percentiles.ts';
import { makeTopics, seededRandom } from './search-corpus.ts';

const GOAL_MS = 40;
const SIZES = [100, 1_000, 10_000];
const QUERIES = 60;
const WARM_UP = 30;
const WORDS_PER_LEAF = 110;
const LEAVES_PER_SECTION = 4;

/** One line of the result. */
export interface SectionsBenchRow extends Percentiles {
  database: string;
  /** Leaves of the one file that is asked. */
  leaves: number;
  what: string;
}

/** A document of sections of some leaves each, every fourth of them of a deeper level, each about one topic. */
function makeDocument(leaves: number): { text: string; queries: string[] } {
  const random = seededRandom(leaves);
  const topics = makeTopics(random);
  const parts: string[] = ['# Handbook'];
  for (let section = 0; section * LEAVES_PER_SECTION < leaves; section++) {
    const topic = topics.pick();
    const paragraphs = Array.from(
      { length: LEAVES_PER_SECTION },
      () => `${topics.textOn(topic.words, WORDS_PER_LEAF)}.`,
    );
    parts.push(`${section % 4 === 0 ? '##' : '###'} ${topics.textOn(topic.words, 3)}`, ...paragraphs);
  }
  const queries = Array.from({ length: QUERIES + WARM_UP }, () =>
    topics.textOn(topics.pick().words.slice(0, 5), 12),
  );
  return { text: `${parts.join('\n\n')}\n`, queries };
}

/** Queries are embedded by the model; documents get vectors that cost nothing: they are not what is measured. */
function cheapForDocuments(model: EmbeddingModel): EmbeddingModel {
  const random = seededRandom(1);
  const vector = (): Float32Array => {
    const values = Float32Array.from({ length: model.dimensions }, () => random() - 0.5);
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  };
  return {
    ...model,
    close: async () => undefined,
    embed: async (texts, options) =>
      options.inputType === 'query'
        ? model.embed(texts, options)
        : { vectors: texts.map(vector), tokens: texts.length },
  };
}

/** Times a question to one file, from request to answer, the embedding of the question included. */
export async function runSectionsBench(): Promise<SectionsBenchRow[]> {
  const rows: SectionsBenchRow[] = [];
  const model = createLocalModel({ workers: 2 });
  for (const target of benchTargets()) {
    await withBenchDatabase(target, async (db) => {
      const service = await startService(db, {}, { embeddingModel: cheapForDocuments(model) });
      for (const size of SIZES) {
        const { text, queries } = makeDocument(size);
        const project = `sections-${size}`;
        await service.makeProject(project, { 'handbook.md': text });
        const { chunk_count: leaves } = await service.call<{ chunk_count: number }>(
          'GET',
          `/projects/${project}/files/handbook.md`,
        );
        const taken: number[] = [];
        for (const [index, query] of queries.entries()) {
          const startedAt = performance.now();
          await service.call('POST', `/projects/${project}/files/handbook.md/sections`, { query });
          if (index >= WARM_UP) taken.push(performance.now() - startedAt);
        }
        const row = {
          database: target ? 'server' : 'embedded',
          leaves,
          what: 'find sections',
          ...percentilesOf(taken),
        };
        rows.push(row);
        const verdict = row.p95 > GOAL_MS ? `  ABOVE THE GOAL: ${GOAL_MS} ms` : '';
        console.log(
          `${row.database.padEnd(9)} ${String(leaves).padStart(6)} leaves  find sections, query embedded  p50 ${row.p50.toFixed(1).padStart(6)} ms  p95 ${row.p95.toFixed(1).padStart(6)} ms${verdict}`,
        );
      }
      await service.close();
    });
  }
  await model.close();
  return rows;
}
