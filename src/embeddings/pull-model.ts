import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RetryPolicy } from '../retry.ts';
import { type EncoderLayout, readEncoderFolder } from './folder-layout.ts';
import { PullError, type PulledFile, pullFile } from './hub-file.ts';
import { CATALOGUE, cataloguedModel, type HubFile, type ModelSource } from './model-catalogue.ts';
import { MANIFEST, type ModelManifest, readManifest } from './model-manifest.ts';

export interface PullOptions {
  /** Folder that pulled models are kept in, each in one of its own. */
  cache: string;
  hub: string;
  signal: AbortSignal;
  retry?: RetryPolicy;
  onProgress?: (file: string, done: number, total: number | null) => void;
}

/** A model in the cache. */
export interface PulledModel {
  folder: string;
  manifest: ModelManifest;
  layout: EncoderLayout;
  /** It was there already. */
  wasThere: boolean;
}

/** Networks that a repository may have, the one to be taken first; and what is taken besides, as far as it is there. */
const NETWORKS = ['onnx/model_quantized.onnx', 'onnx/model_int8.onnx', 'onnx/model.onnx', 'model.onnx'];
const CONFIGURATION = [
  'tokenizer_config.json',
  'modules.json',
  '1_Pooling/config.json',
  'sentence_bert_config.json',
  'config_sentence_transformers.json',
];
const COMMIT = /^[0-9a-f]{40}$/;
/** `OWNER/NAME`, or `OWNER/NAME@REVISION`. */
const REPOSITORY = /^([\w-][\w.-]*)\/([\w-][\w.-]*)(?:@([\w.-]+))?$/;

/**
 * Where a model by that name comes from: the catalogue, or any repository of the hub.
 *
 * @throws PullError for a name that is neither
 */
function sourceOf(name: string): ModelSource {
  const known = cataloguedModel(name);
  if (known) return known;
  const [, owner, model, revision = 'main'] = REPOSITORY.exec(name) ?? [];
  if (owner === undefined || model === undefined) {
    throw new PullError(
      `There is no model ${name}. There are ${CATALOGUE.map((each) => each.name).join(', ')}, and every repository of the hub as OWNER/NAME or OWNER/NAME@REVISION.`,
    );
  }
  return { name: `${owner}--${model}`, repository: `${owner}/${model}`, revision, files: [] };
}

/** The folder of a model in the cache, whether it is there or not. */
export const pulledFolder = (cache: string, name: string): string => join(cache, sourceOf(name).name);

/**
 * Pulls a model into the cache, or looks whether the one that is there is still what was pulled. It is put in its place as a whole, when
 * all files are there, their hashes are right, and they make an encoder; what was pulled before a failure is gone on with the next time.
 *
 * @throws PullError, EncoderFolderError
 */
export async function pullModel(name: string, options: PullOptions): Promise<PulledModel> {
  const source = sourceOf(name);
  const folder = join(options.cache, source.name);
  const present = readManifest(folder);
  if (present) {
    if (COMMIT.test(source.revision) && present.revision !== source.revision) {
      throw new PullError(
        `${folder} has the commit ${present.revision}. Move it away to pull ${source.revision}.`,
      );
    }
    return { folder, manifest: present, layout: readEncoderFolder(folder), wasThere: true };
  }
  if (existsSync(folder)) {
    throw new PullError(
      `${folder} is there, and was not pulled. Move it away, or name it in LOCAL_MODEL_DIR.`,
    );
  }
  const partial = `${folder}.partial`;
  const manifest =
    source.files.length > 0
      ? await pullKnown(source, partial, options)
      : await pullAny(source, partial, options);
  if (source.config) await writeFile(join(partial, 'config.json'), JSON.stringify(source.config, null, 2));
  await writeFile(join(partial, MANIFEST), JSON.stringify(manifest, null, 2));
  // whatever is wrong with it is said before it has a name
  readEncoderFolder(partial);
  await rename(partial, folder);
  return { folder, manifest, layout: readEncoderFolder(folder), wasThere: false };
}

const manifestOf = (source: ModelSource, revision: string, files: ModelManifest['files']): ModelManifest => ({
  name: source.name.replace('--', '/'),
  repository: source.repository,
  revision,
  files,
});

async function pullOne(
  source: ModelSource,
  file: HubFile,
  partial: string,
  options: PullOptions,
): Promise<PulledFile> {
  const { hub, signal, retry, onProgress } = options;
  return pullFile({
    hub,
    repository: source.repository,
    revision: source.revision,
    path: file.path,
    target: join(partial, file.path),
    sha256: file.sha256,
    signal,
    ...(retry && { retry }),
    onProgress: (done, total) => onProgress?.(file.path, done, total),
  });
}

/** All files of a model whose hashes are known. */
async function pullKnown(source: ModelSource, partial: string, options: PullOptions): Promise<ModelManifest> {
  const files: ModelManifest['files'] = {};
  for (const file of source.files) {
    const { sha256, bytes } = await pullOne(source, file, partial, options);
    files[file.path] = { sha256, bytes, pinned: true };
  }
  return manifestOf(source, source.revision, files);
}

/** What a repository has of an encoder, all of it of one commit; what came is what it has to be from then on. */
async function pullAny(source: ModelSource, partial: string, options: PullOptions): Promise<ModelManifest> {
  // what is left of another try may be of another commit: only the large file, whose hash the hub says, is gone on with
  for (const path of ['tokenizer.json', 'config.json', ...CONFIGURATION])
    await rm(join(partial, path), { force: true });
  await mkdir(partial, { recursive: true });
  const files: ModelManifest['files'] = {};
  const tokenizer = await pullOne(source, { path: 'tokenizer.json' }, partial, options);
  const pinned = { ...source, revision: tokenizer.commit ?? source.revision };
  const take = async (path: string): Promise<boolean> => {
    try {
      const { sha256, bytes } = await pullOne(pinned, { path }, partial, options);
      files[path] = { sha256, bytes, pinned: false };
      return true;
    } catch (error) {
      if (error instanceof PullError && error.isMissing) return false;
      throw error;
    }
  };
  files['tokenizer.json'] = { sha256: tokenizer.sha256, bytes: tokenizer.bytes, pinned: false };
  for (const path of ['config.json', ...CONFIGURATION]) await take(path);
  for (const path of NETWORKS) if (await take(path)) return manifestOf(source, pinned.revision, files);
  throw new PullError(
    `${source.repository} has no network that can be run here: none of ${NETWORKS.join(', ')}.`,
  );
}
