import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type OnnxGraph, writeOnnxModel } from '../../src/embeddings/onnx-model.ts';

/** The pieces that the tiny encoder knows; the place of each is its number. */
export const PIECES = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'cat',
  'dog',
  'rain',
  'price',
  '##s',
  'query',
  'text',
  ':',
];
/** Numbers of its vectors. */
export const WIDTH = 4;

/** The vector of a piece before it is mixed: no two point the same way. */
const rowOf = (piece: number): number[] => [1, piece % 3, (piece * piece) % 7, Math.sin(piece)];

const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
  name,
  shape: ['batch', 'tokens'],
  type: 'int64' as const,
}));

/** Each token's vector with the mean of those that the mask lets through: what attention does, at its plainest. */
function tinyGraph(output: string, isPooled: boolean): OnnxGraph {
  const mixed = [
    { op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['pieces'] },
    { op: 'Cast', inputs: ['attention_mask'], outputs: ['shares'], attributes: { to: 1 } },
    { op: 'Unsqueeze', inputs: ['shares', 'last'], outputs: ['mask'] },
    { op: 'Mul', inputs: ['pieces', 'mask'], outputs: ['seen'] },
    { op: 'ReduceSum', inputs: ['seen', 'second'], outputs: ['sum'] },
    { op: 'ReduceSum', inputs: ['mask', 'second'], outputs: ['count'] },
    { op: 'Div', inputs: ['sum', 'count'], outputs: ['mean'] },
  ];
  const whole = { op: 'Squeeze', inputs: ['mean', 'second'], outputs: [output] };
  const each = { op: 'Add', inputs: ['pieces', 'mean'], outputs: [output] };
  return {
    nodes: [...mixed, isPooled ? whole : each],
    weights: new Map([
      [
        'table',
        { shape: [PIECES.length, WIDTH], values: Float32Array.from([...PIECES.keys()].flatMap(rowOf)) },
      ],
    ]),
    lists: new Map([
      ['last', [2]],
      ['second', [1]],
    ]),
    inputs: INPUTS,
    output: { name: output, shape: isPooled ? ['batch', WIDTH] : ['batch', 'tokens', WIDTH] },
  };
}

const special = (content: string) => ({
  id: PIECES.indexOf(content),
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});

const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '[SEP]', type_id: 1 } },
    ],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((token) => [
        token,
        { id: token, ids: [PIECES.indexOf(token)], tokens: [token] },
      ]),
    ),
  },
  decoder: { type: 'WordPiece', prefix: '##' },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(PIECES.map((piece, id) => [piece, id])),
  },
};

/** Writes files into a folder; what is no text or bytes as JSON. */
export function writeFiles(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isPlain = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(path, isPlain ? content : JSON.stringify(content));
  }
  return folder;
}

/** A sentence encoder of twelve words that computes what can be checked by hand, as the files of its folder. */
export function tinyEncoder({
  output = 'last_hidden_state',
  isPooled = false,
} = {}): Record<string, unknown> {
  return {
    'model.onnx': writeOnnxModel(tinyGraph(output, isPooled)),
    'tokenizer.json': TOKENIZER,
    'config.json': { name: 'tiny', dimensions: WIDTH, pooling: 'cls', max_tokens: 16 },
  };
}

/** What each piece of a document adds to the logit that the tiny cross-encoder gives. */
export const LOGITS: Readonly<Record<string, number>> = { cat: 2, dog: -1, rain: 0.5 };

/** A cross-encoder that adds up what the pieces of the second text are worth, as the files of its folder. */
export function tinyCrossEncoder({ logits = 1 } = {}): Record<string, unknown> {
  const graph: OnnxGraph = {
    nodes: [
      { op: 'Gather', inputs: ['table', 'input_ids'], outputs: ['worths'] },
      { op: 'Cast', inputs: ['token_type_ids'], outputs: ['types'], attributes: { to: 1 } },
      { op: 'Unsqueeze', inputs: ['types', 'last'], outputs: ['ofSecond'] },
      { op: 'Mul', inputs: ['worths', 'ofSecond'], outputs: ['counted'] },
      { op: 'ReduceSum', inputs: ['counted', 'second'], outputs: ['sum'] },
      { op: 'Squeeze', inputs: ['sum', 'second'], outputs: ['logits'] },
    ],
    weights: new Map([
      [
        'table',
        {
          shape: [PIECES.length, logits],
          values: Float32Array.from(PIECES.flatMap((piece) => new Array(logits).fill(LOGITS[piece] ?? 0))),
        },
      ],
    ]),
    lists: new Map([
      ['last', [2]],
      ['second', [1]],
    ]),
    inputs: INPUTS.filter(({ name }) => name !== 'attention_mask'),
    output: { name: 'logits', shape: ['batch', logits] },
  };
  return {
    'model.onnx': writeOnnxModel(graph),
    'tokenizer.json': TOKENIZER,
    'config.json': { _name_or_path: 'org/tiny-reranker', model_type: 'bert', max_position_embeddings: 16 },
  };
}

/** The unit-length vector that the tiny encoder gives to pieces by the names of these, for a kind of pooling. */
export function expectedVector(pieces: readonly string[], pooling: string): number[] {
  const rows = pieces.map((piece) => rowOf(PIECES.indexOf(piece)));
  const over = (join: (a: number, b: number) => number) => (vectors: number[][]) =>
    vectors.reduce((so, one) => so.map((value, i) => join(value, one[i] ?? 0)));
  const mean = over((a, b) => a + b)(rows).map((value) => value / rows.length);
  const mixed = rows.map((row) => row.map((value, i) => value + (mean[i] ?? 0)));
  const chosen: Record<string, number[] | undefined> = {
    cls: mixed[0],
    last: mixed.at(-1),
    mean: over((a, b) => a + b)(mixed),
    max: over(Math.max)(mixed),
    whole: mean,
  };
  const vector = chosen[pooling] ?? [];
  return vector.map((value) => value / Math.hypot(...vector));
}
