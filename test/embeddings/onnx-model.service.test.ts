import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { writeOnnxModel } from '../../src/embeddings/onnx-model.ts';

describe('writeOnnxModel', () => {
  it('writes a graph that the runtime reads: operators, weights, lists and attributes of every kind', async () => {
    const model = writeOnnxModel({
      nodes: [
        { op: 'Mul', inputs: ['x', 'factor'], outputs: ['scaled'] },
        { op: 'Transpose', inputs: ['scaled'], outputs: ['turned'], attributes: { perm: [1, 0] } },
        { op: 'LeakyRelu', inputs: ['turned'], outputs: ['bent'], attributes: { alpha: { fraction: 0.25 } } },
        { op: 'Softmax', inputs: ['bent'], outputs: ['shares'], attributes: { axis: -1 } },
        { op: 'Sub', inputs: ['bent', 'shares'], outputs: ['differences'] },
        { op: 'Reshape', inputs: ['differences', 'flat'], outputs: ['y'] },
      ],
      weights: new Map([['factor', { shape: [2], values: Float32Array.of(2, 300) }]]),
      lists: new Map([['flat', [-1]]]),
      inputs: [{ name: 'x', shape: ['rows', 2] }],
      output: { name: 'y', shape: ['numbers'] },
    });
    const session = await InferenceSession.create(model);
    const { y } = await session.run({ x: new Tensor('float32', Float32Array.of(1, -1), [1, 2]) });
    // one column: each share is 1
    expect([...((y?.data ?? []) as Float32Array)]).toEqual([2 - 1, -300 * 0.25 - 1]);
  });
});
