import { afterAll, describe, expect, it } from 'vitest';
import { createLocalModel } from '../../src/embeddings/local.ts';
import { EmbeddingError } from '../../src/embeddings/model.ts';

const model = createLocalModel({ workers: 2 });
afterAll(() => model.close());

const document = { inputType: 'document' } as const;
const filler = 'The committee met again on the following day and talked about many other matters. ';

async function vectorsOf(...texts: string[]): Promise<Float32Array[]> {
  return (await model.embed(texts, document)).vectors;
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b) throw new Error('a vector is missing');
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

describe('createLocalModel', () => {
  it('gives one unit-length vector a text, in order, for nothing', async () => {
    const { vectors, tokens } = await model.embed(['a cat', 'a dog', 'a cat'], document);
    expect(tokens).toBe(0);
    expect(vectors.map((vector) => vector.length)).toEqual([512, 512, 512]);
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    // nothing else is kept in memory, or written where somebody writes the buffer
    expect(vectors.map((vector) => vector.buffer.byteLength)).toEqual([2048, 2048, 2048]);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[0]).not.toEqual(vectors[1]);
  });

  it('puts similar sentences nearer together than unrelated ones', async () => {
    const [churn, leaving, weather] = await vectorsOf(
      'Customer churn rose in the last quarter.',
      'More clients cancelled their contracts in recent months.',
      'It will rain in the mountains tomorrow.',
    );
    expect(cosine(churn, leaving)).toBeGreaterThan(cosine(churn, weather) + 0.1);
  });

  it('reads a text to its end, also where the encoder does not', async () => {
    const long = filler.repeat(12);
    const [plain, withFact, fact] = await vectorsOf(
      long,
      `${long}The enterprise price is forty thousand dollars a year.`,
      'What does the enterprise plan cost?',
    );
    expect(cosine(fact, withFact)).toBeGreaterThan(cosine(fact, plain) + 0.02);
  });

  it('gives texts without words a vector too', async () => {
    const vectors = await vectorsOf('', ' \n\t', '\u0000', '漢字'.repeat(30), 'x'.repeat(300));
    for (const vector of vectors) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
  });

  it('answers a question before the documents that came earlier', async () => {
    const finished: string[] = [];
    const documents = model
      .embed(
        Array.from({ length: 24 }, (_, i) => `${i} ${filler.repeat(5)}`),
        document,
      )
      .then(() => finished.push('documents'));
    await model.embed(['How high is churn?'], { inputType: 'query' });
    finished.push('question');
    await documents;
    expect(finished).toEqual(['question', 'documents']);
  });

  it('stops at once when it is aborted, and goes on with other work', async () => {
    const controller = new AbortController();
    const texts = Array.from({ length: 50 }, (_, i) => `${i} ${filler.repeat(20)}`);
    const aborted = model.embed(texts, { ...document, signal: controller.signal });
    setImmediate(() => controller.abort(new Error('not wanted')));
    await expect(aborted).rejects.toThrow('not wanted');
    expect(await vectorsOf('after')).toHaveLength(1);
  });

  it('refuses work after it was closed, and fails what was under way', async () => {
    const closing = createLocalModel({ workers: 1 });
    const underWay = closing.embed(['a text', 'another'], document);
    const outcome = expect(underWay).rejects.toBeInstanceOf(EmbeddingError);
    await closing.close();
    await outcome;
    await expect(closing.embed(['late'], document)).rejects.toMatchObject({ retryable: false });
  });
});
