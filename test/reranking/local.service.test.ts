import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CrossEncoder, loadCrossEncoder } from '../../src/reranking/cross-encoder.ts';
import { readCrossEncoderFolder } from '../../src/reranking/folder-layout.ts';
import { createLocalReranker } from '../../src/reranking/local.ts';
import { startTestApp } from '../helpers/app.ts';
import { tinyCrossEncoder, writeFiles } from '../helpers/tiny-encoder.ts';

let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forge-reranker-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));
const open = (files = tinyCrossEncoder()): Promise<CrossEncoder> =>
  loadCrossEncoder(readCrossEncoderFolder(writeFiles(folder, files)));
function reranker(files = tinyCrossEncoder()) {
  const model = createLocalReranker(readCrossEncoderFolder(writeFiles(folder, files)), 2);
  closing.push(() => model.close());
  return model;
}

describe('loadCrossEncoder', () => {
  it('reads question and passage as a pair, and makes a share of the logit', async () => {
    const score = await open();
    expect(await score('cat cat cat', 'dog rain')).toBeCloseTo(sigmoid(-0.5), 5);
    expect(await score('dog', 'cats rain')).toBeCloseTo(sigmoid(2.5), 5);
    expect(await score('dog', '')).toBeCloseTo(0.5, 5);
  });

  it('reads as much of a passage as the network takes', async () => {
    const score = await open();
    // 16 tokens: [CLS] dog [SEP], twelve of the passage, [SEP]
    expect(await score('dog', `${'rain '.repeat(12)}${'cat '.repeat(50)}`)).toBeCloseTo(sigmoid(6), 5);
  });

  it('refuses a network that gives more than one number', async () => {
    const score = await open(tinyCrossEncoder({ logits: 3 }));
    await expect(score('dog', 'cat')).rejects.toThrow('gives 3 numbers for a pair');
  });
});

describe('readCrossEncoderFolder', () => {
  it('names it after its configuration and its files', () => {
    const { id, maxTokens } = readCrossEncoderFolder(writeFiles(folder, tinyCrossEncoder()));
    expect(id).toMatch(/^local\/tiny-reranker@[\da-f]{8}$/);
    expect(maxTokens).toBe(16);
  });

  it('says what is missing of a cross-encoder', () => {
    const { 'tokenizer.json': _, ...rest } = tinyCrossEncoder();
    expect(() => readCrossEncoderFolder(writeFiles(folder, rest))).toThrow(
      /^The cross-encoder in .* cannot be used: it has no tokenizer.json/,
    );
    expect(() => readCrossEncoderFolder(join(folder, 'nowhere'))).toThrow(/cross-encoder.*no such folder/);
  });
});

describe('createLocalReranker', () => {
  it('scores passages in processes, in their order', async () => {
    const model = reranker();
    await model.tryOut?.();
    const { scores, tokens } = await model.rerank('dog', ['rain', 'cat', 'dog', 'cat cat'], {});
    expect(scores.map((score) => score.toFixed(3))).toEqual(
      [0.5, 2, -1, 4].map((logit) => sigmoid(logit).toFixed(3)),
    );
    expect(tokens).toBe(0);
    expect(model.processes?.().running).toBeGreaterThan(0);
  });

  it('says at once what is wrong with it', async () => {
    await expect(reranker(tinyCrossEncoder({ logits: 2 })).tryOut?.()).rejects.toThrow(
      /^The cross-encoder in .* gives 2 numbers .* Try another cross-encoder/,
    );
  });

  it('is given up with its search, and refuses when it is closed', async () => {
    const model = reranker();
    const controller = new AbortController();
    const asked = model.rerank('dog', ['cat', 'rain'], { signal: controller.signal });
    controller.abort(new Error('given up'));
    await expect(asked).rejects.toThrow('given up');
    await model.close();
    await expect(model.rerank('dog', ['cat'], {})).rejects.toMatchObject({ retryable: false });
  });
});

it('orders what the service finds, without a key or a network', async () => {
  writeFiles(folder, tinyCrossEncoder());
  const settings = { RERANK_PROVIDER: 'local', RERANK_MODEL_DIR: folder, RERANK_TIMEOUT_MS: '10000' };
  const forge = await startTestApp({ settings });
  closing.push(() => forge.close());
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'a.md': 'The price of a dog.\n', 'b.md': 'The price of a cat.\n' });
  const { body } = await forge.call('POST', '/projects/p/search', { query: 'price dog', min_score: 0 });
  expect(body.strategy).toBe('hybrid+rerank');
  expect(body.data.map(({ filename }: { filename: string }) => filename)).toEqual(['b.md', 'a.md']);
  expect(body.rerank.model).toMatch(/^local\/tiny-reranker@/);
  const usage = (await forge.call('GET', '/projects/p/usage')).body;
  expect(usage.entries).toContainEqual(expect.objectContaining({ phase: 'rerank', cost_usd: 0 }));
  expect((await forge.call('GET', '/metrics')).text).toMatch(/forge_child_processes\{pool="reranker"\}/);
});
