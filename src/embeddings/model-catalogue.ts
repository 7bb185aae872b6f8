/** A file of a model on the hub; `sha256` undefined: whatever the hub has, and that is kept from then on. */
export interface HubFile {
  path: string;
  sha256?: string;
}

/** A model that can be pulled: where its files are on the hub, and what they do not say themselves. */
export interface ModelSource {
  /** Its folder in the cache. */
  name: string;
  repository: string;
  /** A commit, or a branch whose commit of now is taken. */
  revision: string;
  files: readonly HubFile[];
  /** `config.json` in the plain form; undefined: its own is pulled. */
  config?: Readonly<Record<string, string | number>>;
}

/** A model that was tried, or is well known, and what it is for. */
export interface CataloguedModel extends ModelSource {
  about: string;
  megabytes: number;
  licence: string;
}

const NETWORK = 'onnx/model_quantized.onnx';
const TOKENIZER = 'tokenizer.json';

/**
 * Hashes are of the files at those commits. The network of bge-small-en-v1.5 is the file that was measured; the others are as several
 * projects that pin the same commits have them.
 */
export const CATALOGUE: readonly CataloguedModel[] = [
  {
    name: 'bge-small-en-v1.5',
    about: 'English, small: measured, see docs/retrieval.md',
    megabytes: 35,
    licence: 'MIT',
    repository: 'Xenova/bge-small-en-v1.5',
    revision: 'ea104dacec62c0de699686887e3f920caeb4f3e3',
    files: [
      { path: NETWORK, sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4' },
      { path: TOKENIZER, sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66' },
    ],
    config: {
      name: 'bge-small-en-v1.5',
      dimensions: 384,
      pooling: 'cls',
      max_tokens: 512,
      query_prefix: 'Represent this sentence for searching relevant passages: ',
      document_prefix: '',
    },
  },
  {
    name: 'multilingual-e5-small',
    about: 'a hundred languages; not measured here',
    megabytes: 135,
    licence: 'MIT',
    repository: 'Xenova/multilingual-e5-small',
    revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    files: [
      { path: NETWORK, sha256: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193' },
      { path: TOKENIZER, sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39' },
    ],
    config: {
      name: 'multilingual-e5-small',
      dimensions: 384,
      pooling: 'mean',
      max_tokens: 512,
      query_prefix: 'query: ',
      document_prefix: 'passage: ',
    },
  },
  {
    name: 'jina-embeddings-v2-base-code',
    about: 'source code and English; not measured here',
    megabytes: 164,
    licence: 'Apache-2.0',
    repository: 'jinaai/jina-embeddings-v2-base-code',
    revision: '516f4baf13dec4ddddda8631e019b5737c8bc250',
    files: [
      { path: NETWORK, sha256: 'ed45870251c9f0cf656e78aab0d37a23489066df8a222bb1c8caf8a45f2cb16d' },
      { path: TOKENIZER, sha256: 'b01c78a902aa4facb2f47f95449f48e2f7bbfea5d2472ee2f6ce92323c6f86e5' },
    ],
    config: {
      name: 'jina-embeddings-v2-base-code',
      dimensions: 768,
      pooling: 'mean',
      max_tokens: 1_024,
      query_prefix: '',
      document_prefix: '',
    },
  },
];

/** The model of the catalogue by that name. */
export const cataloguedModel = (name: string): CataloguedModel | undefined =>
  CATALOGUE.find((model) => model.name === name);
