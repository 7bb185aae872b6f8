import { type Config, readConfig } from '../src/config.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
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
  return readConfig({ ...Object.fromEntries(given), EMBEDDING_PROVIDER: 'local' });
}

/** The local embedding model of the settings, with the vectors that it remembers of earlier runs. */
export function openEvalModel(): EmbeddingModel {
  const config = evalConfig();
  return rememberEmbeddings(createEmbeddingModel(config), config.EMBEDDING_QUERY_PREFIX);
}
