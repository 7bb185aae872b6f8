import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type FolderConfiguration, type Pooling, readConfiguration } from './folder-configuration.ts';
import { EncoderFolderError } from './folder-error.ts';
import { assertNoPointer, findEncoderFiles, readFileFacts } from './folder-files.ts';
import { poolingOf } from './folder-pooling.ts';
import { knownEncoder } from './known-encoders.ts';
import { type EmbeddingInputType, MOST_DIMENSIONS } from './model.ts';
import { assertUnchanged, readManifest } from './model-manifest.ts';

/**
 * Tokens of a text that are read at most, whatever the encoder could: a leaf has fewer unless the settings make it larger, and
 * the cost of attention grows with their square.
 */
const MOST_TOKENS = 1_024;
/** Most encoders were trained on texts of so many tokens. */
const USUAL_TOKENS = 512;
/** Positions that networks of the family of RoBERTa have besides those of tokens. */
const SPARE_POSITIONS = 2;
const ID_HASH_DIGITS = 8;

/** What stands in front of a text that is embedded. */
export type Prefixes = Readonly<Record<EmbeddingInputType, string>>;

/** All that is needed to embed with the encoder of a folder; it can be sent to another process. */
export interface EncoderLayout {
  folder: string;
  /** Without what tells it from others of that name. */
  name: string;
  /** Its name and a hash of all that decides on the vectors of documents. */
  id: string;
  modelFile: string;
  modelBytes: number;
  tokenizerFile: string;
  dimensions: number;
  pooling: Pooling;
  /** Tokens of a text that are read, those included that the tokenizer puts around it. */
  maxTokens: number;
  /** What fills short windows up; null: what the tokenizer says. */
  padTokenId: number | null;
  prefixes: Prefixes;
  /** The vectors of windows that are computed together depend on each other. */
  sharesScales: boolean;
}

/**
 * Reads what a sentence encoder in the usual layout is: an ONNX graph, `tokenizer.json`, and the configuration files of Hugging
 * Face or a plain `config.json`. The network itself is not loaded.
 *
 * @param prefixes what the settings say about them; empty: what the folder says
 * @throws EncoderFolderError saying what is wrong and what to do
 */
export function readEncoderFolder(folder: string, prefixes?: Partial<Prefixes>): EncoderLayout {
  const files = findEncoderFiles(folder);
  for (const name of files.all) assertNoPointer(folder, name);
  const configuration = readConfiguration(folder);
  const name = nameOf(folder, configuration);
  const described = {
    pooling: poolingIn(folder, configuration, name),
    maxTokens: maxTokensOf(configuration),
    prefixes: prefixesOf(configuration, name, prefixes),
  };
  const facts = files.all.map((file) => readFileFacts(join(folder, file)));
  const manifest = readManifest(folder);
  if (manifest) {
    const hashes = files.all.map((file, index) => [file, facts[index]?.sha256 ?? ''] as const);
    assertUnchanged(folder, manifest, new Map(hashes));
  }
  return {
    folder: realpathSync(folder),
    name,
    id: `local/${name}@${hashOf([...facts.map(({ sha256 }) => sha256), described.pooling, described.maxTokens, described.prefixes.document])}`,
    modelFile: files.model,
    modelBytes: facts.reduce((sum, { bytes }) => sum + bytes, 0),
    tokenizerFile: files.tokenizer,
    dimensions: dimensionsOf(folder, configuration),
    padTokenId: configuration.config?.pad_token_id ?? null,
    sharesScales: facts.some(({ sharesScales }) => sharesScales),
    ...described,
  };
}

/** A few digits that differ where any of the parts does. */
export const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_HASH_DIGITS);

/** As its configuration has it, or its folder is called; of a path the end. */
export function nameOf(folder: string, { config }: FolderConfiguration): string {
  const named = config?.name ?? config?._name_or_path ?? '';
  const name = basename(named === '' ? realpathSync(folder) : named).replace(/[^\w.-]+/g, '-');
  return /\w/.test(name) ? name : 'encoder';
}

function poolingIn(folder: string, configuration: FolderConfiguration, name: string): Pooling {
  const pooling = poolingOf(folder, configuration) ?? knownEncoder(name)?.pooling;
  if (pooling !== undefined) return pooling;
  throw new EncoderFolderError(
    folder,
    'nothing says how the vectors of a text\'s tokens become one. Download 1_Pooling/config.json, or write "pooling": "cls" (or "mean", "max", "last") into config.json.',
  );
}

function dimensionsOf(folder: string, { config, pooling }: FolderConfiguration): number {
  const dimensions =
    config?.dimensions ??
    pooling?.word_embedding_dimension ??
    config?.hidden_size ??
    config?.dim ??
    config?.d_model;
  if (dimensions === undefined) {
    throw new EncoderFolderError(
      folder,
      'nothing says how many numbers its vectors have. Download its config.json, or write "dimensions": NUMBER into one.',
    );
  }
  if (dimensions > MOST_DIMENSIONS) {
    throw new EncoderFolderError(
      folder,
      `its vectors have ${dimensions} numbers, and ${MOST_DIMENSIONS} can be stored. Use a smaller encoder.`,
    );
  }
  return dimensions;
}

/** Tokens that are read at most, those included that the tokenizer adds. */
export function maxTokensOf({ config, textLength, tokenizer }: FolderConfiguration): number {
  const isRoberta = /roberta|camembert|mpnet/.test(config?.model_type ?? '');
  const positions = (config?.max_position_embeddings ?? Infinity) - (isRoberta ? SPARE_POSITIONS : 0);
  const stated =
    config?.max_tokens ?? textLength ?? Math.min(tokenizer?.model_max_length ?? Infinity, positions);
  return Math.min(Number.isFinite(stated) ? stated : USUAL_TOKENS, MOST_TOKENS);
}

function prefixesOf(
  { config, prompts }: FolderConfiguration,
  name: string,
  wanted: Partial<Prefixes> = {},
): Prefixes {
  const known = knownEncoder(name)?.prefixes;
  return {
    query: wanted.query || (config?.query_prefix ?? prompts?.query ?? known?.query ?? ''),
    document:
      wanted.document ||
      (config?.document_prefix ?? prompts?.document ?? prompts?.passage ?? known?.document ?? ''),
  };
}
