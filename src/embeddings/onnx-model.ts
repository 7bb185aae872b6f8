/** Float32 numbers that belong to the model. */
export interface OnnxWeights {
  shape: readonly number[];
  values: Float32Array;
}

/** An operator of the ONNX standard: whole numbers, lists of them and fractions as attributes. */
export interface OnnxNode {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, number | readonly number[] | { fraction: number }>>;
}

/** What goes into a graph or comes out of it. A length that is given by name is known only when the model runs. */
export interface OnnxValue {
  name: string;
  shape: readonly (number | string)[];
  /** Default float32. */
  type?: 'float32' | 'int64';
}

/** A graph of float32 tensors. */
export interface OnnxGraph {
  nodes: readonly OnnxNode[];
  weights: ReadonlyMap<string, OnnxWeights>;
  /** Lists of whole numbers that operators read, such as a new shape. */
  lists: ReadonlyMap<string, readonly number[]>;
  inputs: readonly OnnxValue[];
  output: OnnxValue;
}

// Numbers of the fields of ModelProto and its parts: github.com/onnx/onnx/blob/main/onnx/onnx.proto
const IR_VERSION = 8;
const OPERATOR_SET = 17;
const FLOAT = 1;
const INT64 = 7;
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

/** The bytes of a field; long ones are kept as they are until the end. */
type Parts = Uint8Array[];

/** The graph as an ONNX model file (a protocol buffer). */
export function writeOnnxModel(graph: OnnxGraph): Uint8Array {
  const model = [
    ...whole(1, IR_VERSION),
    ...message(7, graphParts(graph)),
    ...message(8, [...text(1, ''), ...whole(2, OPERATOR_SET)]),
  ];
  return Buffer.concat(model);
}

function graphParts({ nodes, weights, lists, inputs, output }: OnnxGraph): Parts {
  return [
    ...nodes.flatMap((node) => message(1, nodeParts(node))),
    ...text(2, 'graph'),
    ...[...weights].flatMap(([name, { shape, values }]) =>
      message(5, tensorParts(name, FLOAT, shape, bytesOf(values))),
    ),
    ...[...lists].flatMap(([name, list]) =>
      message(5, tensorParts(name, INT64, [list.length], bytesOf(BigInt64Array.from(list, BigInt)))),
    ),
    ...inputs.flatMap((input) => message(11, valueParts(input))),
    ...message(12, valueParts(output)),
  ];
}

function nodeParts({ op, inputs, outputs, attributes = {} }: OnnxNode): Parts {
  return [
    ...inputs.flatMap((name) => text(1, name)),
    ...outputs.flatMap((name) => text(2, name)),
    ...text(4, op),
    ...Object.entries(attributes).flatMap(([name, value]) => {
      if (typeof value === 'number') {
        return message(5, [...text(1, name), ...whole(3, value), ...whole(20, ATTRIBUTE_INT)]);
      }
      if ('fraction' in value) {
        return message(5, [...text(1, name), ...fraction(2, value.fraction), ...whole(20, ATTRIBUTE_FLOAT)]);
      }
      return message(5, [
        ...text(1, name),
        ...value.flatMap((item) => whole(8, item)),
        ...whole(20, ATTRIBUTE_INTS),
      ]);
    }),
  ];
}

function tensorParts(name: string, type: number, shape: readonly number[], bytes: Uint8Array): Parts {
  return [
    ...shape.flatMap((length) => whole(1, length)),
    ...whole(2, type),
    ...text(8, name),
    ...message(9, [bytes]),
  ];
}

function valueParts({ name, shape, type }: OnnxValue): Parts {
  const dimensions = shape.flatMap((length) =>
    message(1, typeof length === 'number' ? whole(1, length) : text(2, length)),
  );
  const tensor = [...whole(1, type === 'int64' ? INT64 : FLOAT), ...message(2, dimensions)];
  return [...text(1, name), ...message(2, message(1, tensor))];
}

const bytesOf = (values: Float32Array | BigInt64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

const whole = (field: number, value: number): Parts => [
  Buffer.from([...varint(field << 3), ...varint(value)]),
];

const text = (field: number, value: string): Parts => message(field, [Buffer.from(value)]);

function fraction(field: number, value: number): Parts {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return [Buffer.from(varint((field << 3) | 5)), bytes];
}

function message(field: number, parts: Parts): Parts {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [Buffer.from([...varint((field << 3) | 2), ...varint(length)]), ...parts];
}

/** A whole number from 0 to 2^53 in groups of seven bits, low ones first; a negative one as 64 bits. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return bytes;
}
