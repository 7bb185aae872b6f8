import { type Config, readConfig } from '../src/config.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { makesVectors } from '../src/embeddings/off.ts';
import { createEmbeddingModel } from '../src/providers.ts';
import { rememberEmbeddings } from './retrieval-model.ts';

/** Settings that decide what is measured; no key is read, so that nothing is asked of a provider. */
const SETTINGS = [
  'LOCAL_MODEL_DIR',
  'EMBEDDING_QUERY_PREFIX',
  'EMBEDDING_DOCUMENT_PREFIX',
  'EMBEDDING_WORKERS',
] as const;

function evalConfig(): Config {
  const given = SETTINGS.map((name) => [name, process.env[name]] as const);
  const provider = process.env.EMBEDDING_PROVIDER === 'off' ? 'off' : 'local';
  return readConfig({ ...Object.fromEntries(given), EMBEDDING_PROVIDER: provider });
}

/** The local embedding model of the settings, with the vectors that it remembers of earlier runs; with EMBEDDING_PROVIDER=off there is none. */
export function openEvalModel(): EmbeddingModel {
  const config = evalConfig();
  const model = createEmbeddingModel(config);
  return makesVectors(model) ? rememberEmbeddings(model, config.EMBEDDING_QUERY_PREFIX) : model;
}
