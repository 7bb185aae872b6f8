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
    name: /^bge-small-en-v1\.5/i,
    pooling: 'cls',
    prefixes: BGE_EN,
    calibration: embeddingCalibrationSchema.parse({
      // on documentation (MRR@3, recall@10) .857/.937 with 0.4, .817/.920 with 1 and .843/.907 with 0.2; code and plain texts
      // agree; abstracts would have .722 with 1, and have .713
      fusionWeight: 0.4,
      // its cosines lie close together: an unrelated page comes to .55. Sections: MRR .885, by words alone .867; .861 with those
      // of the built-in encoder, which are so low that 98 % of the unrelated pages seemed to have the answer
      leastCosine: 0.6,
      cosineSpan: 0.2,
      meaningWeight: 0.7,
      // the floor of 0.2 keeps 97 % of the answers on both halves of the labelled questions; 0.1 keeps as many, and lets more pass
      // that answer nothing; 0.4 loses another 1 to 4 % of the answers
      standingSpan: 0.2,
    }),
  },
  { name: /^bge-(base|large)-en-v1\.5/i, pooling: 'cls', prefixes: BGE_EN },
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
