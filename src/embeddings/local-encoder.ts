import type { Encoder } from './encoder.ts';
import { INPUT, localGraph } from './local-graph.ts';
import { createPieceReader } from './local-pieces.ts';
import { readLocalWeights } from './local-weights.ts';
import { writeOnnxModel } from './onnx-model.ts';
import { loadRuntime, ONE_THREAD } from './onnx-runtime.ts';
import { toUnitVector } from './unit.ts';
import { splitWindows, type TextWindow } from './windows.ts';

/** The encoder was trained on texts up to this length, and reads no further. */
const PIECES_PER_WINDOW = 128;
/**
 * Windows of a text that are read; what comes after them is found by its words alone. With eight instead of two, hybrid
 * search ranked documentation (MRR@3 .830), plain texts (recall .879) and code (pass@5 .852) the same. It also bounds what
 * a text made to have many pieces can cost. Another number makes other vectors: the model needs a new id then.
 */
const MOST_WINDOWS = 2;
/** Words whose pieces are remembered; the vocabulary of a large document is smaller. */
const REMEMBERED_WORDS = 50_000;
/** Numbers of a piece's vector. */
const WIDTH = 256;
const TABLE = 'module/Embeddings_en';
const TIMESCALES =
  'module_apply_default/Encoder_en/KonaTransformer/Encode/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1';
// a zero vector has no direction: a text without words gets the vector of a full stop
const WORDLESS: TextWindow = { text: '.', length: 1, weight: 1 };

/**
 * Loads the Universal Sentence Encoder (lite, English) from its npm package: no network. A text has one window or two, a
 * window takes some ten milliseconds and gives 512 numbers. Throws an `Error` on a platform that the runtime has no library
 * for.
 */
export async function loadLocalEncoder(): Promise<Encoder<TextWindow>> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const { vocabulary, find } = await readLocalWeights();
  const graph = localGraph(find);
  const session = await InferenceSession.create(writeOnnxModel(graph), ONE_THREAD);
  const toPieces = createPieceReader(vocabulary);
  // a copy: all other weights need not stay in memory
  const table = find(TABLE).values.slice();
  const positions = timingSignal(find(TIMESCALES).values);
  const remembered = new Map<string, number>();
  const countPieces = (word: string): number => {
    let count = remembered.get(word);
    if (count === undefined) {
      count = toPieces(word).length;
      if (remembered.size >= REMEMBERED_WORDS) remembered.clear();
      remembered.set(word, count);
    }
    return count;
  };
  async function encodeOne({ text }: TextWindow): Promise<Float32Array> {
    const pieces = toPieces(text).slice(0, PIECES_PER_WINDOW);
    const input = inputOf(pieces, table, positions);
    const outputs = await session.run({
      [INPUT]: new Tensor('float32', input, [pieces.length, WIDTH]),
    });
    const values = outputs[graph.output.name]?.data;
    const vector = values instanceof Float32Array ? toUnitVector(values) : null;
    if (!vector) throw new Error('the encoder gave no vector');
    return vector;
  }
  return {
    // the graph is for one text
    roomAtOnce: 0,
    windows: (text) => {
      const windows = splitWindows(text, PIECES_PER_WINDOW, countPieces).slice(0, MOST_WINDOWS);
      return windows.length > 0 ? windows : [WORDLESS];
    },
    encode: async (windows) => {
      const vectors: Float32Array[] = [];
      for (const window of windows) vectors.push(await encodeOne(window));
      return vectors;
    },
  };
}

/** The vectors of a text's pieces. The original adds the piece's vector twice, so the weights were trained for that. */
function inputOf(pieces: readonly number[], table: Float32Array, positions: Float32Array): Float32Array {
  const input = new Float32Array(pieces.length * WIDTH);
  for (const [position, piece] of pieces.entries()) {
    for (let i = 0; i < WIDTH; i += 1) {
      const at = position * WIDTH + i;
      input[at] = 2 * (table[piece * WIDTH + i] ?? 0) + (positions[at] ?? 0);
    }
  }
  return input;
}

/** What tells a piece's position: sines and then cosines of it at many scales (arxiv.org/abs/1706.03762). */
function timingSignal(scales: Float32Array): Float32Array {
  return Float32Array.from({ length: PIECES_PER_WINDOW * WIDTH }, (_, at) => {
    const place = at % WIDTH;
    const angle = Math.floor(at / WIDTH) * (scales[place % scales.length] ?? 0);
    return place < scales.length ? Math.sin(angle) : Math.cos(angle);
  });
}
