import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { embedBatches } from '../src/embeddings/batch.ts';
import { type EncoderLayout, readEncoderFolder } from '../src/embeddings/folder-layout.ts';
import { loadTokens } from '../src/embeddings/folder-tokens.ts';
import { createLocalModel } from '../src/embeddings/local.ts';
import { makeTopics, seededRandom } from './search-corpus.ts';

/** Leaves of so many tokens, as they are cut. */
const TOKENS = 200;
const LEAVES = 192;
const ALONE = 40;
/** Of an int8 encoder of the size of bge-small on two cores. */
const GOAL = 40;
const WORDS = 150;

/** Leaves embedded in a second. */
export interface EncoderBenchRow {
  what: string;
  processes: number;
  leavesPerSecond: number;
}

/** Texts of so many tokens of the encoder, each about a topic. */
async function makeLeaves(layout: EncoderLayout): Promise<string[]> {
  const reader = await loadTokens({ ...layout, maxTokens: 10 * TOKENS });
  const random = seededRandom(TOKENS);
  const topics = makeTopics(random);
  return Array.from({ length: LEAVES }, () => {
    const words = topics.textOn(topics.pick().words, WORDS).split(' ');
    while (reader.read(words.join(' ')).length > TOKENS) words.pop();
    return words.join(' ');
  });
}

/** The runtime alone in this process: one text after the other, as tokens already. */
async function timeRuntime(layout: EncoderLayout, leaves: readonly string[]): Promise<number> {
  const session = await InferenceSession.create(join(layout.folder, layout.modelFile), {
    intraOpNumThreads: 1,
  });
  const reader = await loadTokens(layout);
  const tensor = (values: number[]): Tensor =>
    new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const feeds = leaves.slice(0, ALONE).map((leaf) => {
    const ids = reader.read(leaf);
    const all: Record<string, Tensor> = {
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1)),
      token_type_ids: tensor(ids.map(() => 0)),
    };
    return Object.fromEntries(session.inputNames.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
  });
  for (const feed of feeds.slice(0, 5)) await session.run(feed);
  const startedAt = performance.now();
  for (const feed of feeds) await session.run(feed);
  return (1_000 * feeds.length) / (performance.now() - startedAt);
}

/** All of it: from texts to stored order, in processes. */
async function timeModel(layout: EncoderLayout, leaves: readonly string[], workers: number): Promise<number> {
  const model = createLocalModel({ workers, layout });
  try {
    // every process is there and has loaded
    await model.embed(leaves.slice(0, 8 * workers), { inputType: 'document' });
    const startedAt = performance.now();
    for await (const _ of embedBatches(model, leaves, { inputType: 'document' }));
    return (1_000 * leaves.length) / (performance.now() - startedAt);
  } finally {
    await model.close();
  }
}

/** Times the encoder of LOCAL_MODEL_DIR over leaves of 200 tokens, against the runtime alone on one thread in the same run. */
export async function runEncoderBench(): Promise<EncoderBenchRow[]> {
  const folder = process.env.LOCAL_MODEL_DIR;
  if (folder === undefined) {
    console.log('skipped: LOCAL_MODEL_DIR names no encoder');
    return [];
  }
  const layout = readEncoderFolder(folder);
  const leaves = await makeLeaves(layout);
  const alone = await timeRuntime(layout, leaves);
  const rows: EncoderBenchRow[] = [
    { what: 'the runtime alone, one thread', processes: 1, leavesPerSecond: alone },
  ];
  for (const workers of new Set([1, Math.min(4, availableParallelism())])) {
    const leavesPerSecond = await timeModel(layout, leaves, workers);
    rows.push({ what: `${layout.id}, from texts`, processes: workers, leavesPerSecond });
  }
  for (const { what, processes, leavesPerSecond } of rows) {
    const share = `${(leavesPerSecond / alone).toFixed(2)}x the runtime`;
    console.log(
      `${what.padEnd(44)} ${processes} process${processes === 1 ? '  ' : 'es'} ${leavesPerSecond.toFixed(1).padStart(7)} leaves/s  ${share}`,
    );
  }
  console.log(`goal: ${GOAL} leaves of ${TOKENS} tokens a second on two cores`);
  return rows;
}
