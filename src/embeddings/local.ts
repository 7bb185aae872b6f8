import { setMaxListeners } from 'node:events';
import { scopedSignal } from '../scoped-signal.ts';
import { workerEntry } from '../worker-entry.ts';
import { embeddingCalibrationSchema } from './calibration.ts';
import { createEncoderPool } from './local-pool.ts';
import type { EmbeddingModel } from './model.ts';

/** Measured with `npm run eval`. */
export const LOCAL_CALIBRATION = embeddingCalibrationSchema.parse({
  // The encoder is small, and reads 128 word pieces at a time: measured on documentation, plain texts, code, abstracts and
  // conversations, 0.2 helps or does next to no harm, while 0.5 costs up to 4 points.
  fusionWeight: 0.2,
  // measured with the confidence of sections, whose figures stand in retrieval/tuning.ts
  leastCosine: 0.3,
  cosineSpan: 0.5,
  meaningWeight: 0.5,
  // seven in eight of the passages that answer stand lower; measured with the confidence of passages
  standingSpan: 0.4,
});

/**
 * The embedding model that needs neither key nor network: the Universal Sentence Encoder (lite, English, 512 numbers)
 * in worker processes, each of some 165 MB and a hundred windows a second. Longer texts are read in windows, two at most,
 * and their vectors averaged. It knows English only.
 */
export function createLocalModel({ workers = 2 }: { workers?: number } = {}): EmbeddingModel {
  const entry = workerEntry(import.meta.url, './local-worker');
  const execArgv = [...entry.execArgv, '--expose-gc'];
  const pool = createEncoderPool({ path: entry.path, execArgv }, workers);
  return {
    provider: 'local',
    // a part of every cache key: name it anew when the way of reading windows changes
    id: 'use-lite-en',
    dimensions: 512,
    // there is nothing to gain from larger calls: what a call has embedded is kept, and shown as progress, at its end
    limits: { inputsPerCall: 8, tokensPerCall: 32_000, tokensPerInput: 8_000 },
    calibration: LOCAL_CALIBRATION,
    embed: async (texts, { inputType, signal }) => {
      const failing = new AbortController();
      const { signal: either, close } = scopedSignal([signal, failing.signal]);
      // every text listens to it
      setMaxListeners(0, either);
      const embedOne = (text: string): Promise<Float32Array> =>
        pool.run(text, inputType, either).catch((error: unknown) => {
          // the other texts would be embedded for nothing
          failing.abort(error);
          throw error;
        });
      const vectors = await Promise.all(texts.map(embedOne)).finally(close);
      return { vectors, tokens: 0 };
    },
    processes: () => pool.figures(),
    close: () => pool.close(),
  };
}
