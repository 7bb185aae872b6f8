import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createEncoderPool, type EncoderPool } from '../../src/embeddings/local-pool.ts';

const path = fileURLToPath(new URL('../fixtures/workers/mortal-worker.js', import.meta.url));
let pool: EncoderPool;
afterEach(() => pool.close());

function open(size: number): (text: string, signal?: AbortSignal) => Promise<Float32Array> {
  pool = createEncoderPool({
    entry: { path, execArgv: [] },
    size,
    heapMb: 128,
    memoryMb: 512,
    textsAtOnce: 2,
  });
  return (text, signal) => pool.run(text, 'document', signal);
}

describe('createEncoderPool', () => {
  it('replaces a worker that died, and says that trying again makes sense', async () => {
    const run = open(1);
    await expect(run('die')).rejects.toMatchObject({ name: 'EmbeddingError', retryable: true });
    expect(await run('four')).toEqual(Float32Array.of(4));
  });

  it('fails only the texts that the dead worker had', async () => {
    const run = open(1);
    const outcomes = await Promise.allSettled(['die', 'with it', 'later', 'last'].map((text) => run(text)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('does not ask for another try where the text is at fault', async () => {
    const run = open(1);
    await expect(run('fail')).rejects.toMatchObject({ retryable: false });
    expect(await run('ok')).toEqual(Float32Array.of(2));
  });

  it('gives up a text at once when it is aborted, waiting or at work', async () => {
    const run = open(1);
    const controller = new AbortController();
    const held = ['hold', 'hold', 'hold', 'hold'].map((text) => run(text, controller.signal));
    const outcomes = Promise.allSettled(held);
    controller.abort(new Error('enough'));
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected' });
    expect(await run('next')).toEqual(Float32Array.of(4));
    await expect(run('late', controller.signal)).rejects.toThrow('enough');
  });
});
