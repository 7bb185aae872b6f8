import { type EmbeddingCalibration, embeddingCalibrationSchema, UNMEASURED } from './calibration.ts';
import type { Pooling } from './folder-configuration.ts';

/** What is known of an encoder by its name, where the files beside it do not say. */
interface KnownEncoder {
  /** Names that it goes by, without what stands before the last slash. */
  name: RegExp;
  pooling: Pooling;
  prefixes: { query: string; document: string };
  calibration?: EmbeddingCalibration;
}

const BGE_EN = { query: 'Represent this sentence for searching relevant passages: ', document: '' };
const E5 = { query: 'query: ', document: 'passage: ' };

/** From the models' own descriptions; calibrations measured with `npm run eval`. */
const KNOWN: readonly KnownEncoder[] = [
  {
    name: /^bge-(small|base|large)-en-v1\.5/i,
    pooling: 'cls',
    prefixes: BGE_EN,
    calibration: embeddingCalibrationSchema.parse({
      fusionWeight: 1,
      leastCosine: 0.3,
      cosineSpan: 0.5,
      meaningWeight: 0.5,
      standingSpan: 0,
    }),
  },
  { name: /^(multilingual-)?e5-(small|base|large)/i, pooling: 'mean', prefixes: E5 },
  { name: /^jina-embeddings-v2-/i, pooling: 'mean', prefixes: { query: '', document: '' } },
  { name: /^all-(minilm|mpnet|distilroberta)/i, pooling: 'mean', prefixes: { query: '', document: '' } },
];

/** What is known of an encoder of that name. */
export const knownEncoder = (name: string): Omit<KnownEncoder, 'name'> | undefined =>
  KNOWN.find((known) => known.name.test(name));

/** How far the vectors of an encoder of that name are to be trusted. */
export const calibrationOf = (name: string): EmbeddingCalibration =>
  knownEncoder(name)?.calibration ?? UNMEASURED;
