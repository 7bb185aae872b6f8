import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFolderEncoder } from '../../src/embeddings/folder-encoder.ts';
import { readEncoderFolder } from '../../src/embeddings/folder-layout.ts';
import { expectedVector, tinyEncoder, WIDTH, writeFiles } from '../helpers/tiny-encoder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forge-encoder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(files: Record<string, unknown>, prefixes?: { query: string; document: string }) {
  writeFiles(folder, files);
  const encoder = await loadFolderEncoder(readEncoderFolder(folder, prefixes));
  return {
    encoder,
    embed: (texts: string[], inputType: 'query' | 'document' = 'document') =>
      encoder.encode(texts.flatMap((text) => encoder.windows(text, inputType))),
  };
}

const configured = (config: Record<string, unknown>) => ({
  ...tinyEncoder(),
  'config.json': { name: 'tiny', dimensions: WIDTH, max_tokens: 16, ...config },
});

function expectNear(vector: Float32Array | undefined, expected: readonly number[]): void {
  expect(vector).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) expect(vector?.[i]).toBeCloseTo(value, 5);
}

describe('loadFolderEncoder', () => {
  it.each(['cls', 'mean', 'max', 'last'])('pools by %s as the configuration says', async (pooling) => {
    const { embed } = await open(configured({ pooling }));
    const [vector] = await embed(['cat dogs']);
    expectNear(vector, expectedVector(['[CLS]', 'cat', 'dog', '##s', '[SEP]'], pooling));
  });

  it.each(['cls', 'mean', 'max', 'last'])(
    'gives a text the same vector alone and in a batch (%s)',
    async (pooling) => {
      const { embed } = await open(configured({ pooling }));
      const texts = ['cat', 'dog rain price cats dogs', 'rain rain'];
      const together = await embed(texts);
      for (const [index, text] of texts.entries()) {
        const [alone] = await embed([text]);
        expectNear(together[index], [...(alone ?? [])]);
      }
    },
  );

  it('takes the vector of a text from a network that gives one', async () => {
    const { embed } = await open(tinyEncoder({ output: 'sentence_embedding', isPooled: true }));
    const [vector] = await embed(['rain']);
    expectNear(vector, expectedVector(['[CLS]', 'rain', '[SEP]'], 'whole'));
  });

  it('puts the prefix of its kind in front of a text', async () => {
    const { embed } = await open(
      configured({ pooling: 'mean', query_prefix: 'query: ', document_prefix: 'text: ' }),
    );
    const [asked] = await embed(['cat'], 'query');
    const [stored] = await embed(['cat'], 'document');
    expectNear(asked, expectedVector(['[CLS]', 'query', ':', 'cat', '[SEP]'], 'mean'));
    expectNear(stored, expectedVector(['[CLS]', 'text', ':', 'cat', '[SEP]'], 'mean'));
  });

  it('reads as many tokens as the encoder does, the closing one among them', async () => {
    const { embed, encoder } = await open(configured({ pooling: 'last', max_tokens: 6 }));
    expect(encoder.windows('cat '.repeat(50), 'document')).toEqual([
      { tokens: [2, 4, 4, 4, 4, 3], length: 6, weight: 1 },
    ]);
    const [vector] = await embed(['cat '.repeat(50)]);
    expectNear(vector, expectedVector(['[CLS]', 'cat', 'cat', 'cat', 'cat', '[SEP]'], 'last'));
  });

  it.each([
    ['nothing', ''],
    ['a megabyte without a space', 'x'.repeat(1_000_000)],
    ['a megabyte of signs', '!'.repeat(1_000_000)],
    ['halves of characters', '\ud800'.repeat(5_000)],
    ['NULs', '\0'.repeat(5_000)],
    ['emoji', '👩‍👩‍👧'.repeat(5_000)],
    ['accents on one letter', `a${'\u0301'.repeat(50_000)}`],
  ])('gives %s a vector', async (_, text) => {
    const { embed } = await open(tinyEncoder());
    const [vector] = await embed([text]);
    expect(Math.hypot(...(vector ?? []))).toBeCloseTo(1, 5);
  });

  it('says so when vectors have another size than the configuration says', async () => {
    const { embed } = await open(configured({ pooling: 'cls', dimensions: 8 }));
    await expect(embed(['cat'])).rejects.toThrow('gives vectors of 4 numbers where its configuration says 8');
  });

  it('names what a network asks for that is not known', async () => {
    const { 'model.onnx': model, ...files } = tinyEncoder();
    const renamed = Buffer.from(
      (model as Buffer).toString('latin1').replaceAll('token_type_ids', 'token_shape_xx'),
      'latin1',
    );
    const { embed } = await open({ ...files, 'model.onnx': renamed });
    await expect(embed(['cat'])).rejects.toThrow('asks for token_shape_xx, which is not known here');
  });

  it('refuses what is no network', async () => {
    await expect(open({ ...tinyEncoder(), 'model.onnx': 'not a network' })).rejects.toThrow();
  });

  it('computes one text at a time where the texts of a batch would share their scales', async () => {
    const { 'model.onnx': model, ...files } = tinyEncoder();
    const { encoder } = await open({ ...files, 'model.onnx': model });
    expect(encoder.roomAtOnce).toBeGreaterThan(0);
    const scaled = await loadFolderEncoder({ ...readEncoderFolder(folder), sharesScales: true });
    expect(scaled.roomAtOnce).toBe(0);
  });
});
