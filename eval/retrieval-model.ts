import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { packageRoot } from '../src/package-root.ts';

/** EVAL_CACHE_DIR keeps hours of work through a fresh install of the packages. */
const FOLDER = process.env.EVAL_CACHE_DIR ?? join(packageRoot, 'node_modules', '.cache', 'forge-eval');
const HASH_BYTES = 16;

/**
 * An embedding model that keeps every vector in a file, so that the second run of an evaluation embeds nothing. Records
 * are a hash of input type and text, and the vector; one that was cut off by a crash is left out.
 *
 * @param queryPrefix of the settings: what the model's id says nothing of
 */
export function rememberEmbeddings(model: EmbeddingModel, queryPrefix = ''): EmbeddingModel {
  mkdirSync(FOLDER, { recursive: true });
  const path = join(FOLDER, `${model.provider}-${model.id.replace(/[^\w.-]/g, '_')}-${model.dimensions}.bin`);
  const recordBytes = HASH_BYTES + 4 * model.dimensions;
  const known = new Map<string, Float32Array>();
  if (existsSync(path)) {
    const bytes = readFileSync(path);
    for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
      const vector = new Float32Array(model.dimensions);
      for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatLE(at + HASH_BYTES + 4 * i);
      known.set(bytes.toString('hex', at, at + HASH_BYTES), vector);
    }
  }
  const key = (inputType: string, text: string) =>
    createHash('sha256')
      .update(`${inputType === 'query' ? queryPrefix : ''}${inputType}\0${text}`)
      .digest('hex')
      .slice(0, 2 * HASH_BYTES);

  return {
    ...model,
    async embed(texts, options) {
      const keys = texts.map((text) => key(options.inputType, text));
      const missing = [...new Set(keys.keys())].filter((index) => !known.has(keys[index] ?? ''));
      let tokens = 0;
      if (missing.length > 0) {
        const fresh = await model.embed(
          missing.map((index) => texts[index] ?? ''),
          options,
        );
        tokens = fresh.tokens;
        missing.forEach((index, position) => {
          const hash = keys[index];
          const vector = fresh.vectors[position];
          if (hash === undefined || !vector) return;
          known.set(hash, vector);
          appendFileSync(path, Buffer.concat([Buffer.from(hash, 'hex'), Buffer.from(vector.buffer)]));
        });
      }
      return { vectors: keys.map((hash) => known.get(hash) ?? new Float32Array(model.dimensions)), tokens };
    },
  };
}
