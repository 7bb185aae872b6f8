import { createHash, type Hash } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EncoderFolderError } from './folder-error.ts';

/** Where the network may lie, in the order of preference: with whole numbers of 8 bits it is as good, and three times as fast. */
const MODEL_FILES = [
  'model.onnx',
  'model_quantized.onnx',
  'onnx/model_quantized.onnx',
  'onnx/model_int8.onnx',
  'onnx/model.onnx',
];
const TOKENIZER = 'tokenizer.json';
const TOKENIZER_CONFIG = 'tokenizer_config.json';
/** Large weights lie beside the graph, under its name and one of these. */
const BESIDE = ['_data', '.data'];
const CHUNK_BYTES = 1 << 20;
/** What stands in a repository in the place of a large file that was not fetched. */
const POINTER = 'version https://git-lfs';
/** An operator whose scale is that of all numbers that it is given: those of a batch depend on each other. */
const SHARED_SCALE = Buffer.from('DynamicQuantizeLinear');

/** The files of an encoder, by their paths in its folder. */
export interface EncoderFiles {
  model: string;
  tokenizer: string;
  /** All that decides on its vectors besides its configuration. */
  all: readonly string[];
}

/** @throws EncoderFolderError when one is missing, and says which names it may have */
export function findEncoderFiles(folder: string): EncoderFiles {
  if (!existsSync(folder)) {
    throw new EncoderFolderError(
      folder,
      'there is no such folder. Correct the path, or pull a model into it.',
    );
  }
  const isThere = (name: string): boolean => existsSync(join(folder, name));
  const model = MODEL_FILES.find(isThere);
  if (model === undefined) {
    throw new EncoderFolderError(
      folder,
      `it has no network: one of ${MODEL_FILES.join(', ')}. Export the encoder to ONNX, or download such a file.`,
    );
  }
  if (!isThere(TOKENIZER)) {
    throw new EncoderFolderError(
      folder,
      `it has no ${TOKENIZER}. Download it from where the network comes from: an encoder is of no use with another one's.`,
    );
  }
  const others = [...BESIDE.map((ending) => `${model}${ending}`), TOKENIZER_CONFIG].filter(isThere);
  return { model, tokenizer: TOKENIZER, all: [model, TOKENIZER, ...others] };
}

/** What is found out by reading a file once. */
interface FileFacts {
  bytes: number;
  sha256: string;
  /** The network is computed with scales that all windows share which are computed at once. */
  sharesScales: boolean;
}

/** Reads a file of any size, a bit at a time. */
export function readFileFacts(path: string): FileFacts {
  const hash = createHash('sha256');
  let sharesScales = false;
  let tail = Buffer.alloc(0);
  forEachChunk(path, hash, (chunk) => {
    const joined = Buffer.concat([tail, chunk]);
    sharesScales ||= joined.includes(SHARED_SCALE);
    tail = joined.subarray(-SHARED_SCALE.length);
  });
  return { bytes: statSync(path).size, sha256: hash.digest('hex'), sharesScales };
}

function forEachChunk(path: string, hash: Hash, look: (chunk: Buffer) => void): void {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      const chunk = buffer.subarray(0, read);
      hash.update(chunk);
      look(chunk);
    }
  } finally {
    closeSync(file);
  }
}

/** @throws EncoderFolderError for a pointer that Git LFS left in the place of a file */
export function assertNoPointer(folder: string, name: string): void {
  const file = openSync(join(folder, name), 'r');
  try {
    const start = Buffer.alloc(POINTER.length);
    readSync(file, start);
    if (start.toString() !== POINTER) return;
  } finally {
    closeSync(file);
  }
  throw new EncoderFolderError(
    folder,
    `${name} is a pointer of Git LFS and not the file. Run "git lfs pull" in the clone, or download the file itself.`,
  );
}
