import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '../embeddings/folder-configuration.ts';
import { EncoderFolderError } from '../embeddings/folder-error.ts';
import { assertNoPointer, findEncoderFiles, readFileFacts } from '../embeddings/folder-files.ts';
import { hashOf, maxTokensOf, nameOf } from '../embeddings/folder-layout.ts';

/** Pairs are as long as the model was trained on: what is sent of a passage is chosen to fit. */
const MOST_TOKENS = 512;

/** All that is needed to score with the cross-encoder of a folder; it can be sent to another process. */
export interface CrossEncoderLayout {
  folder: string;
  /** Its name and a hash of its files. */
  id: string;
  modelFile: string;
  modelBytes: number;
  tokenizerFile: string;
  /** Tokens of question and passage together that are read. */
  maxTokens: number;
  padTokenId: number | null;
}

/**
 * Reads what a cross-encoder in the usual layout is, which is that of sentence encoders: an ONNX graph, `tokenizer.json` and the
 * configuration of Hugging Face. The network itself is not loaded.
 *
 * @throws EncoderFolderError saying what is wrong and what to do
 */
export function readCrossEncoderFolder(folder: string): CrossEncoderLayout {
  try {
    return readLayout(folder);
  } catch (error) {
    if (error instanceof EncoderFolderError) throw crossEncoderError(folder, error.problem);
    throw error;
  }
}

/** Why the cross-encoder of a folder cannot be used. */
export const crossEncoderError = (folder: string, problem: string): EncoderFolderError =>
  new EncoderFolderError(folder, problem, 'cross-encoder');

function readLayout(folder: string): CrossEncoderLayout {
  const files = findEncoderFiles(folder);
  for (const file of files.all) assertNoPointer(folder, file);
  const configuration = readConfiguration(folder);
  const maxTokens = Math.min(MOST_TOKENS, maxTokensOf(configuration));
  const facts = files.all.map((file) => readFileFacts(join(folder, file)));
  return {
    folder: realpathSync(folder),
    id: `local/${nameOf(folder, configuration)}@${hashOf([...facts.map(({ sha256 }) => sha256), maxTokens])}`,
    modelFile: files.model,
    modelBytes: facts.reduce((sum, { bytes }) => sum + bytes, 0),
    tokenizerFile: files.tokenizer,
    maxTokens,
    padTokenId: configuration.config?.pad_token_id ?? null,
  };
}
