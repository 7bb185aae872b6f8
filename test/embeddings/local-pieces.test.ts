import { EmbeddingsModel } from '@energetic-ai/embeddings';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createPieceReader } from '../../src/embeddings/local-pieces.ts';
import { readLocalWeights } from '../../src/embeddings/local-weights.ts';

let toPieces: (text: string) => number[];
let original: (text: string) => number[];
beforeAll(async () => {
  const { vocabulary } = await readLocalWeights();
  toPieces = createPieceReader(vocabulary);
  const { tokenizer } = new EmbeddingsModel({
    vocabulary: vocabulary.map(([piece, score]) => [piece, score]),
    model: Object.create(null),
  });
  original = (text) => tokenizer.encode(text);
});

describe('createPieceReader', () => {
  it.each([
    ['prose', 'The committee met again on the following day, and talked about many other matters.'],
    ['code', "const x = await fetch('https://example.com/a?b=c&d=e'); // #42"],
    ['symbols that it does not know', '漢字 and 😀☃ in ａ ｔext with ﬁ, ½ and ﷺ'],
    ['spaces in a row', '  two  \u00a0 three\n\tfour '],
    ['nothing', ''],
  ])('cuts %s into the pieces that the original cuts it into', (_, text) => {
    expect(toPieces(text)).toEqual(original(text));
  });

  it('agrees with the original on any text', () => {
    const words = fc.stringMatching(/^[a-zA-Z0-9.,'-]{1,12}$/);
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words).map((list) => list.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(toPieces(text)).toEqual(original(text));
      }),
    );
  });
});
