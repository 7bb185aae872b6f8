import { join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Encoder, EncoderWindow } from './encoder.ts';
import type { EncoderLayout } from './folder-layout.ts';
import { loadTokens } from './folder-tokens.ts';
import { loadRuntime, ONE_THREAD } from './onnx-runtime.ts';
import { poolTokens, type TokenVectors } from './pooling.ts';
import { toUnitVector } from './unit.ts';

/** A text as tokens: as many as the encoder reads. What comes after them is found by its words alone. */
interface TokenWindow extends EncoderWindow {
  tokens: readonly number[];
}

/**
 * Tokens that are computed at once, padding included. Texts of 16 tokens are twice as fast together and of 64 half as fast
 * again; of 128 and more they gain nothing and only take memory, and a question would have to wait for all of them.
 */
const ROOM_AT_ONCE = 512;
/** What graphs call the vector of a text, and those of its tokens. */
const OUTPUTS = ['sentence_embedding', 'last_hidden_state', 'token_embeddings'];
/** What graphs ask for, and the value that stands in it for a token. */
const INPUTS: Readonly<Record<string, (token: number) => bigint>> = {
  input_ids: BigInt,
  attention_mask: () => 1n,
  token_type_ids: () => 0n,
};

/**
 * Loads the encoder of a folder. Throws an `Error` for a tokenizer or a graph that cannot be read, inputs or outputs that are not
 * known here, and on a platform that the runtime has no library for.
 */
export async function loadFolderEncoder(layout: EncoderLayout): Promise<Encoder<TokenWindow>> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const reader = await loadTokens(layout);
  const session = await InferenceSession.create(join(layout.folder, layout.modelFile), ONE_THREAD);
  const output = chooseOutput(session);

  const tensorOf = (name: string, windows: readonly TokenWindow[], longest: number): Tensor => {
    const valueFor = INPUTS[name];
    if (valueFor === undefined) {
      throw new Error(
        `${layout.modelFile} asks for ${name}, which is not known here: ${Object.keys(INPUTS).join(', ')} are`,
      );
    }
    const values = new BigInt64Array(windows.length * longest);
    if (name === 'input_ids') values.fill(BigInt(reader.padTokenId));
    for (const [row, { tokens }] of windows.entries()) {
      for (const [column, token] of tokens.entries()) values[row * longest + column] = valueFor(token);
    }
    return new Tensor('int64', values, [windows.length, longest]);
  };

  return {
    // a text has one vector, whatever it is embedded together with
    roomAtOnce: layout.sharesScales ? 0 : ROOM_AT_ONCE,
    windows: (text, inputType) => {
      const tokens = reader.read(layout.prefixes[inputType] + text);
      return [{ tokens, length: tokens.length, weight: 1 }];
    },
    async encode(windows) {
      const longest = Math.max(...windows.map(({ length }) => length));
      const feeds = session.inputNames.map((name) => [name, tensorOf(name, windows, longest)] as const);
      const outputs = await session.run(Object.fromEntries(feeds));
      const read = vectorReader(outputs[output], layout);
      return windows.map(({ length }, index) => unitOf(read(index, length), layout));
    },
  };
}

function chooseOutput({ outputNames }: InferenceSession): string {
  const chosen = OUTPUTS.find((name) => outputNames.includes(name)) ?? outputNames[0];
  if (chosen === undefined) throw new Error('the network has no output');
  return chosen;
}

/** Reads the vector of a window off the network's output: [windows, numbers], or [windows, tokens, numbers]. */
function vectorReader(
  output: Tensor | undefined,
  layout: EncoderLayout,
): (index: number, length: number) => Float32Array {
  const { data: values, dims } = output ?? {};
  if (!(values instanceof Float32Array) || dims === undefined) {
    throw new Error(
      `${layout.modelFile} gives ${output?.type ?? 'nothing'} where vectors of float32 are needed`,
    );
  }
  const [, second = 0, third] = dims;
  if (third === undefined) return (index) => values.subarray(index * second, (index + 1) * second);
  const vectors: TokenVectors = { values, tokens: second, width: third };
  return (index, length) => poolTokens(vectors, index, length, layout.pooling);
}

function unitOf(vector: Float32Array, { dimensions, modelFile }: EncoderLayout): Float32Array {
  if (vector.length !== dimensions) {
    throw new Error(
      `${modelFile} gives vectors of ${vector.length} numbers where its configuration says ${dimensions}`,
    );
  }
  const unit = toUnitVector(vector);
  if (!unit) throw new Error('the encoder gave no vector');
  return unit;
}
