import { together } from '../processes/together.ts';
import { workerEntry } from '../worker-entry.ts';
import { type EmbeddingCalibration, embeddingCalibrationSchema } from './calibration.ts';
import { EncoderFolderError } from './folder-error.ts';
import type { EncoderLayout } from './folder-layout.ts';
import { calibrationOf } from './known-encoders.ts';
import { createEncoderPool, type EncoderProcesses } from './local-pool.ts';
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

/** An encoder, and what its processes may take. */
interface EncoderTerms extends Omit<EncoderProcesses, 'entry' | 'size'> {
  id: string;
  dimensions: number;
  calibration: EmbeddingCalibration;
  /** Texts of one call: what a call has embedded is kept, and shown as progress, at its end. */
  textsPerCall: number;
  /** What the processes are told. */
  args: string[];
}

/** The Universal Sentence Encoder (lite, English): some 165 MB and a hundred windows a second in each process. */
const BUILT_IN: EncoderTerms = {
  // a part of every cache key: name it anew when the way of reading windows changes
  id: 'use-lite-en',
  dimensions: 512,
  calibration: LOCAL_CALIBRATION,
  textsPerCall: 8,
  args: [],
  // far more than it uses: what is above is a fault
  heapMb: 512,
  memoryMb: 1_024,
  // one at work and one in its mail: a process never idles, and little is lost when it dies
  textsAtOnce: 2,
};

/** Whether it is the encoder that comes with Forge. */
export const isBuiltIn = ({ id }: Pick<EmbeddingModel, 'id'>): boolean => id === BUILT_IN.id;

/** What to tell those who have the built-in encoder. */
export const BETTER_ENCODER =
  'texts are embedded by the small built-in encoder, which knows English only. a better one finds far more by meaning: "forge models pull bge-small-en-v1.5", then LOCAL_MODEL=bge-small-en-v1.5 and "forge reindex" (docs/retrieval.md)';

const MB = 2 ** 20;

const termsOf = (layout: EncoderLayout): EncoderTerms => ({
  id: layout.id,
  dimensions: layout.dimensions,
  calibration: calibrationOf(layout.name),
  // enough that texts of one length go together, and that no process idles for long at the end of a call
  textsPerCall: 32,
  args: [JSON.stringify(layout)],
  // vocabularies of many languages have a quarter of a million pieces
  heapMb: 1_024,
  // the runtime reads a network, and then lays it out anew for its computations
  memoryMb: 1_536 + Math.ceil((4 * layout.modelBytes) / MB),
  textsAtOnce: layout.sharesScales ? 2 : 8,
});

/**
 * The embedding models that need neither key nor network, in worker processes: the encoder of a folder or, without one, that
 * which comes with Forge. Of that, longer texts are read in windows, two at most, and their vectors averaged; it knows
 * English only.
 */
export function createLocalModel({
  workers = 2,
  layout,
}: {
  workers?: number;
  layout?: EncoderLayout | undefined;
} = {}): EmbeddingModel {
  const { id, dimensions, calibration, textsPerCall, args, ...processes } = layout
    ? termsOf(layout)
    : BUILT_IN;
  const { path, execArgv } = workerEntry(import.meta.url, './local-worker');
  const entry = { path, execArgv: [...execArgv, '--expose-gc'], args };
  const pool = createEncoderPool({ ...processes, entry, size: workers });
  async function tryOut(folder: string): Promise<void> {
    await pool.run('Is there anybody?', 'query', undefined).catch((error: Error) => {
      throw new EncoderFolderError(folder, `${error.message}. Try another encoder, or export this one anew.`);
    });
  }
  return {
    provider: 'local',
    id,
    dimensions,
    limits: { inputsPerCall: textsPerCall, tokensPerCall: 4_000 * textsPerCall, tokensPerInput: 8_000 },
    calibration,
    embed: async (texts, { inputType, signal }) => {
      const vectors = await together(
        signal,
        (text: string, either) => pool.run(text, inputType, either),
        (embedOne) => inOrderOfLength(texts, embedOne),
      );
      return { vectors, tokens: 0 };
    },
    ...(layout && { tryOut: () => tryOut(layout.folder) }),
    processes: () => pool.figures(),
    close: () => pool.close(),
  };
}

/** Asks for the longest first: those of one length meet in one process, and at the end the processes are done together. */
async function inOrderOfLength<T>(texts: readonly string[], ask: (text: string) => Promise<T>): Promise<T[]> {
  const answers = new Array<T>(texts.length);
  const byLength = [...texts.entries()].sort(([, a], [, b]) => b.length - a.length);
  await Promise.all(
    byLength.map(async ([index, text]) => {
      answers[index] = await ask(text);
    }),
  );
  return answers;
}
