import { describe, expect, it } from 'vitest';
import type { EmbeddingModel } from '../../src/embeddings/model.ts';
import { EmbeddingError } from '../../src/embeddings/model.ts';
import { blendVectors, createQueryEmbedder } from '../../src/retrieval/query-vector.ts';

function modelThat(embed: EmbeddingModel['embed']): EmbeddingModel {
  return {
    provider: 'local',
    id: 'test',
    dimensions: 2,
    limits: { inputsPerCall: 10, tokensPerCall: 1_000, tokensPerInput: 100 },
    embed,
    close: async () => undefined,
  };
}

describe('the query embedder', () => {
  it('asks the model once for what it has been asked before, and forgets what was not used for longest', async () => {
    const asked: string[] = [];
    const embedder = createQueryEmbedder(
      modelThat(async (texts) => {
        asked.push(...texts);
        return { vectors: [Float32Array.of(1, 0)], tokens: 1 };
      }),
      { cacheSize: 2 },
    );
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await embedder.embed(text);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });

  it('gives null when the provider fails, when it takes too long, and for nothing', async () => {
    const failing = createQueryEmbedder(
      modelThat(async () => {
        throw new EmbeddingError('down', { retryable: true });
      }),
    );
    expect(await failing.embed('x')).toBeNull();
    const silent = createQueryEmbedder(
      modelThat(
        (_texts, { signal }) =>
          new Promise((_resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason as Error));
          }),
      ),
      { timeoutMs: 1 },
    );
    expect(await silent.embed('x')).toBeNull();
    expect(await silent.embed('  ')).toBeNull();
  });

  it('rejects when the caller gives up', async () => {
    const embedder = createQueryEmbedder(modelThat(async () => ({ vectors: [], tokens: 0 })));
    await expect(embedder.embed('x', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  });
});

it('blends two vectors into one of unit length between them', () => {
  const blended = blendVectors(Float32Array.of(1, 0), Float32Array.of(0, 1), 0.2);
  expect(Math.hypot(...blended)).toBeCloseTo(1);
  expect(blended[0]).toBeGreaterThan(blended[1] ?? 0);
});
