import { describe, expect, it } from 'vitest';
import type { Encoder, EncoderWindow } from '../../src/embeddings/encoder.ts';
import { createEncoderQueue, takeBatch } from '../../src/embeddings/encoder-queue.ts';

interface Word extends EncoderWindow {
  text: string;
}

const entry = (length: number) => ({ window: { length, weight: 1 } });
const lengths = (entries: { window: EncoderWindow }[]) => entries.map(({ window }) => window.length);
const never = new AbortController().signal;

/** One window a word; keeps what it was given together. */
function wordEncoder(roomAtOnce: number): Encoder<Word> & { batches: string[][] } {
  const batches: string[][] = [];
  return {
    batches,
    roomAtOnce,
    windows: (text) => text.split(' ').map((word) => ({ text: word, length: word.length, weight: 1 })),
    async encode(words) {
      batches.push(words.map(({ text }) => text));
      if (words.some(({ text }) => text === 'broken')) throw new Error('cannot be read');
      return words.map(({ text }) => (text === 'up' ? Float32Array.of(0, 1) : Float32Array.of(1, 0)));
    },
  };
}

describe('takeBatch', () => {
  it('takes the oldest and those nearest to it in length, padding counted', () => {
    const waiting = [entry(10), entry(50), entry(12), entry(9), entry(11)];
    // three of 11 are 33, four of 12 would be 48
    expect(lengths(takeBatch(waiting, 40))).toEqual([10, 9, 11]);
    expect(lengths(waiting)).toEqual([50, 12]);
  });

  it('takes one by itself that is longer than the room, and each where there is none', () => {
    const waiting = [entry(600), entry(3), entry(3)];
    expect(lengths(takeBatch(waiting, 512))).toEqual([600]);
    expect(lengths(takeBatch(waiting, 0))).toEqual([3]);
    expect(takeBatch([], 512)).toEqual([]);
  });
});

describe('createEncoderQueue', () => {
  it('gives a text the mean direction of its windows', async () => {
    const queue = createEncoderQueue(wordEncoder(100));
    const vector = await queue.embed('up right', 'document', never);
    expect(vector[0]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(vector[1]).toBeCloseTo(Math.SQRT1_2, 6);
  });

  it('lets a question go before the documents that wait, between two batches', async () => {
    const encoder = wordEncoder(0);
    const queue = createEncoderQueue(encoder);
    const documents = ['a', 'b', 'c'].map((text) => queue.embed(text, 'document', never));
    const question = queue.embed('why', 'query', never);
    await Promise.all([...documents, question]);
    expect(encoder.batches).toEqual([['a'], ['why'], ['b'], ['c']]);
  });

  it('fails the texts of a batch that cannot be read, and goes on', async () => {
    const queue = createEncoderQueue(wordEncoder(0));
    const outcomes = await Promise.allSettled(
      ['fine', 'broken more', 'fine'].map((text) => queue.embed(text, 'document', never)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await queue.embed('again', 'document', never)).toHaveLength(2);
  });

  it('encodes nothing more of a text that nobody waits for', async () => {
    const encoder = wordEncoder(0);
    const queue = createEncoderQueue(encoder);
    const control = new AbortController();
    void queue.embed('a b c d', 'document', control.signal);
    control.abort();
    await queue.embed('last', 'document', never);
    expect(encoder.batches).toEqual([['a'], ['last']]);
  });
});
