import { describe, expect, it, vi } from 'vitest';
import { loadLocalEncoder } from '../../src/embeddings/local-encoder.ts';

vi.mock('onnxruntime-node', () => {
  throw new Error('cannot open shared object file');
});

describe('loadLocalEncoder', () => {
  it('says what to do where the runtime has no library', async () => {
    await expect(loadLocalEncoder()).rejects.toThrow(
      `has no library that runs here (${process.platform}-${process.arch}); give a VOYAGE_API_KEY`,
    );
  });
});
