import type { OnnxGraph, OnnxNode, OnnxWeights } from './onnx-model.ts';

const LAYERS = [0, 1];
const HEADS = 4;
const EPSILON = 1e-6;
/** The vectors of a text's pieces. */
export const INPUT = 'pieces';

const ROOT = 'Encoder_en/KonaTransformer/Encode';
const OUTPUT_LAYER = 'module/Encoder_en/hidden_layers/tanh_layer_0';

/** Adds operators to a graph one by one; each answers with the name of its output. */
function createGraph(find: (name: string) => OnnxWeights) {
  const nodes: OnnxNode[] = [];
  const weights = new Map<string, OnnxWeights>();
  const lists = new Map<string, readonly number[]>();
  const add = (op: string, inputs: string[], attributes: OnnxNode['attributes'] = {}): string => {
    const output = `${op}_${nodes.length}`;
    nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  };
  const weight = (name: string): string => {
    const { shape, values } = find(name);
    // a convolution of 1 x 1 is a product with a matrix
    weights.set(name, { shape: shape.length === 4 ? shape.slice(2) : shape, values });
    return name;
  };
  const list = (...values: number[]): string => {
    const name = `list_${values.join('_')}`;
    lists.set(name, values);
    return name;
  };
  return {
    nodes,
    weights,
    lists,
    add,
    list,
    number(value: number): string {
      const name = `number_${value}`;
      weights.set(name, { shape: [], values: Float32Array.of(value) });
      return name;
    },
    dense: (x: string, kernel: string, bias: string): string =>
      add('Add', [add('MatMul', [x, weight(kernel)]), weight(bias)]),
    normal: (x: string, layer: string): string => {
      const [scale, bias] = ['scale', 'bias'].map((part) =>
        weight(`${layer}/layer_prepostprocess/layer_norm/layer_norm_${part}/ConcatPartitions/concat`),
      );
      return add('LayerNormalization', [x, scale ?? '', bias ?? ''], {
        axis: -1,
        epsilon: { fraction: EPSILON },
      });
    },
  };
}

type Graph = ReturnType<typeof createGraph>;

/**
 * The Universal Sentence Encoder (lite) as an ONNX graph, for one text: vectors of its pieces in, [pieces, 256], the
 * vector of the text out, [1, 512], not yet of unit length. Two transformer layers whose input is normalised first (the
 * first goes from 256 numbers a piece to 512), the mean over the pieces, and a tanh layer. It follows the graph that
 * comes with the weights; architecture: arxiv.org/abs/1803.11175.
 *
 * @param find the weights of a name in the original graph
 */
export function localGraph(find: (name: string) => OnnxWeights): OnnxGraph {
  const graph = createGraph(find);
  let x = INPUT;
  for (const layer of LAYERS) {
    const names = namesOf(layer);
    const width = (find(names.projection).shape[3] ?? 0) / 3;
    const attention = attend(graph, graph.normal(x, names.layer), names, width);
    const input = layer === 0 ? graph.dense(x, ...names.widening) : x;
    x = graph.add('Add', [input, attention]);
    const inner = graph.dense(graph.normal(x, `${names.layer}/FFN`), ...names.inner);
    x = graph.add('Add', [x, graph.dense(graph.add('Relu', [inner]), ...names.outer)]);
  }
  const mean = graph.add('ReduceMean', [x], { axes: [0], keepdims: 1 });
  const output = graph.add('Tanh', [graph.dense(mean, `${OUTPUT_LAYER}/weights`, `${OUTPUT_LAYER}/bias`)]);
  return {
    nodes: graph.nodes,
    weights: graph.weights,
    lists: graph.lists,
    inputs: [{ name: INPUT, shape: ['length', 256] }],
    output: { name: output, shape: [1, 512] },
  };
}

function namesOf(layer: number) {
  const folded = `module_apply_default/${ROOT}/Layer_${layer}/TransformerLayer`;
  const stacked = `module_apply_default/${ROOT}/TransformerStack/Layer_${layer}/TransformerLayer`;
  const attention = `module/${ROOT}/Layer_${layer}/TransformerLayer/MultiheadAttention`;
  const bias = (name: string): string => `${folded}/${name}/bias/ConcatPartitions/concat`;
  const kernelAndBias = (kernel: string, name: string): [string, string] => [kernel, bias(name)];
  return {
    layer: folded,
    projection: `${attention}/qkv_transform_single/kernel/part_0`,
    projectionBias: bias('MultiheadAttention/qkv_transform_single'),
    output: kernelAndBias(
      `${attention}/output_transform_single/kernel/part_0`,
      'MultiheadAttention/output_transform_single',
    ),
    widening: kernelAndBias(`${folded}/dense/kernel/ConcatPartitions/concat`, 'dense'),
    inner: kernelAndBias(`${stacked}/FFN/conv1/Tensordot/Reshape_1`, 'FFN/conv1'),
    outer: kernelAndBias(`${stacked}/FFN/conv2/Tensordot/Reshape_1`, 'FFN/conv2'),
  };
}

/** Dot-product attention of several heads; `width` is that of all heads together. */
function attend(graph: Graph, x: string, names: ReturnType<typeof namesOf>, width: number): string {
  const { add, list } = graph;
  const size = width / HEADS;
  const projected = graph.dense(x, names.projection, names.projectionBias);
  const split = add('Reshape', [projected, list(-1, 3, HEADS, size)]);
  // queries, keys and values, each [heads, pieces, size]
  const heads = add('Transpose', [split], { perm: [1, 2, 0, 3] });
  const part = (index: number): string =>
    add('Squeeze', [add('Slice', [heads, list(index), list(index + 1), list(0)]), list(0)]);
  const queries = add('Mul', [part(0), graph.number(size ** -0.5)]);
  const keys = add('Transpose', [part(1)], { perm: [0, 2, 1] });
  const shares = add('Softmax', [add('MatMul', [queries, keys])], { axis: -1 });
  const attended = add('Transpose', [add('MatMul', [shares, part(2)])], { perm: [1, 0, 2] });
  return graph.dense(add('Reshape', [attended, list(-1, width)]), ...names.output);
}
