import { join } from 'node:path';
import { loadTokens } from '../embeddings/folder-tokens.ts';
import { loadRuntime, ONE_THREAD } from '../embeddings/onnx-runtime.ts';
import type { CrossEncoderLayout } from './folder-layout.ts';

/** Scores how well a text answers a question, 0 to 1. It blocks its thread while it works. */
export type CrossEncoder = (query: string, document: string) => Promise<number>;

type Pair = Readonly<Record<'tokens' | 'types', readonly number[]>>;

/** What graphs ask for, by token. */
const INPUTS: Readonly<Record<string, (pair: Pair) => readonly number[]>> = {
  input_ids: ({ tokens }) => tokens,
  attention_mask: ({ tokens }) => tokens.map(() => 1),
  token_type_ids: ({ types }) => types,
};

/**
 * Loads the cross-encoder of a folder: a network that gives a pair one number, its logit. Throws an `Error` for a tokenizer or a
 * graph that cannot be read, inputs that are not known here, and on a platform that the runtime has no library for. Pairs are
 * computed one by one, as texts are (`folder-encoder.ts`).
 */
export async function loadCrossEncoder(layout: CrossEncoderLayout): Promise<CrossEncoder> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const reader = await loadTokens(layout);
  const session = await InferenceSession.create(join(layout.folder, layout.modelFile), ONE_THREAD);
  const unknown = session.inputNames.find((name) => !Object.hasOwn(INPUTS, name));
  if (unknown !== undefined) {
    throw new Error(
      `${layout.modelFile} asks for ${unknown}, which is not known here: ${Object.keys(INPUTS).join(', ')} are`,
    );
  }
  const output = session.outputNames.includes('logits') ? 'logits' : (session.outputNames[0] ?? '');

  return async (query, document) => {
    const pair = reader.readPair(query, document);
    const feeds = session.inputNames.map((name) => {
      const values = BigInt64Array.from(INPUTS[name]?.(pair) ?? [], BigInt);
      return [name, new Tensor('int64', values, [1, values.length])] as const;
    });
    const { data = [] } = (await session.run(Object.fromEntries(feeds)))[output] ?? {};
    const [logit, ...more] = data;
    if (typeof logit !== 'number' || more.length > 0) {
      throw new Error(
        `${layout.modelFile} gives ${data.length} numbers for a pair where one is needed: it is no reranker, or one of another kind`,
      );
    }
    if (!Number.isFinite(logit)) throw new Error(`${layout.modelFile} gives no number for a pair`);
    return 1 / (1 + Math.exp(-logit));
  };
}
