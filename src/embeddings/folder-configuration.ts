import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EncoderFolderError } from './folder-error.ts';

/** How the vectors of a text's tokens become its own. */
export const POOLINGS = ['cls', 'mean', 'max', 'last'] as const;
export type Pooling = (typeof POOLINGS)[number];

const size = z.number().int().positive().optional().catch(undefined);

/** `config.json`: of the network as Hugging Face writes it, or the few things that an encoder needs, named plainly. */
const configSchema = z.looseObject({
  name: z.string().optional(),
  dimensions: size,
  pooling: z.enum(POOLINGS, { error: `pooling has to be one of ${POOLINGS.join(', ')}` }).optional(),
  max_tokens: size,
  query_prefix: z.string().optional(),
  document_prefix: z.string().optional(),

  _name_or_path: z.string().optional(),
  model_type: z.string().optional(),
  hidden_size: size,
  dim: size,
  d_model: size,
  max_position_embeddings: size,
  pad_token_id: z.number().int().nonnegative().nullish().catch(undefined),
});

/** `modules.json`: the steps from a text to its vector, each with the folder of its configuration. */
const modulesSchema = z.array(z.looseObject({ type: z.string(), path: z.string().default('') }));

/** `1_Pooling/config.json`. */
const poolingSchema = z.looseObject({ word_embedding_dimension: size });

/** `config_sentence_transformers.json`: what stands in front of a text, by what it is embedded for. */
const promptsSchema = z.looseObject({ prompts: z.record(z.string(), z.string().nullable()).nullish() });

const textLengthSchema = z.looseObject({ max_seq_length: size });
const tokenizerConfigSchema = z.looseObject({
  model_max_length: z.number().positive().nullish().catch(undefined),
});

/** What the configuration files in a folder say, each as far as it is there. */
export function readConfiguration(folder: string) {
  const read = <S extends z.ZodType>(name: string, schema: S): z.output<S> | undefined => {
    const value = readJson(folder, name);
    if (value === undefined) return undefined;
    const checked = schema.safeParse(value);
    if (checked.success) return checked.data;
    throw new EncoderFolderError(
      folder,
      `${name}: ${checked.error.issues.map(({ message }) => message).join('; ')}.`,
    );
  };
  const modules = read('modules.json', modulesSchema);
  const poolingFolder = modules?.find(({ type }) => type.endsWith('.Pooling'))?.path ?? '1_Pooling';
  return {
    config: read('config.json', configSchema),
    modules,
    pooling: read(join(poolingFolder, 'config.json'), poolingSchema),
    prompts: read('config_sentence_transformers.json', promptsSchema)?.prompts,
    textLength: read('sentence_bert_config.json', textLengthSchema)?.max_seq_length,
    tokenizer: read('tokenizer_config.json', tokenizerConfigSchema),
  };
}

export type FolderConfiguration = ReturnType<typeof readConfiguration>;

function readJson(folder: string, name: string): unknown {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new EncoderFolderError(
      folder,
      `${name} cannot be read as JSON (${error instanceof Error ? error.message : String(error)}). Download it again.`,
    );
  }
}
