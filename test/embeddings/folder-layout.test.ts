import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNMEASURED } from '../../src/embeddings/calibration.ts';
import { readEncoderFolder } from '../../src/embeddings/folder-layout.ts';
import { calibrationOf } from '../../src/embeddings/known-encoders.ts';
import { writeFiles } from '../helpers/tiny-encoder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forge-layout-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const NETWORK = { 'model.onnx': 'network', 'tokenizer.json': {} };
const PLAIN = { name: 'plain', dimensions: 384, pooling: 'cls' };
const POOLING = 'sentence_transformers.models.Pooling';

const read = (files: Record<string, unknown>, prefixes?: { query?: string; document?: string }) =>
  readEncoderFolder(writeFiles(mkdtempSync(join(root, 'encoder-')), files), prefixes);
const problemOf = (files: Record<string, unknown>): string => {
  try {
    read(files);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

describe('readEncoderFolder', () => {
  it('reads a plain configuration', () => {
    const config = { ...PLAIN, max_tokens: 256, query_prefix: 'ask: ', document_prefix: 'say: ' };
    expect(read({ ...NETWORK, 'config.json': config })).toMatchObject({
      name: 'plain',
      modelFile: 'model.onnx',
      dimensions: 384,
      pooling: 'cls',
      maxTokens: 256,
      prefixes: { query: 'ask: ', document: 'say: ' },
      sharesScales: false,
    });
  });

  it('reads the files of sentence-transformers', () => {
    const files = {
      'onnx/model_quantized.onnx': 'int8',
      'onnx/model.onnx': 'float',
      'tokenizer.json': {},
      'tokenizer_config.json': { model_max_length: 1e30 },
      'config.json': { _name_or_path: 'maker/encoder-base', hidden_size: 768, pad_token_id: 1 },
      'modules.json': [
        { type: 'sentence_transformers.models.Transformer', path: '' },
        { type: POOLING, path: 'pool' },
        { type: 'sentence_transformers.models.Normalize', path: '2_Normalize' },
      ],
      'pool/config.json': {
        word_embedding_dimension: 768,
        pooling_mode_cls_token: false,
        pooling_mode_mean_tokens: true,
      },
      'sentence_bert_config.json': { max_seq_length: 384 },
      'config_sentence_transformers.json': { prompts: { query: 'q: ', passage: 'p: ' } },
    };
    expect(read(files)).toMatchObject({
      name: 'encoder-base',
      modelFile: 'onnx/model_quantized.onnx',
      dimensions: 768,
      pooling: 'mean',
      maxTokens: 384,
      padTokenId: 1,
      prefixes: { query: 'q: ', document: 'p: ' },
    });
  });

  it('takes prefixes of the settings before those of the folder', () => {
    const files = {
      ...NETWORK,
      'config.json': { ...PLAIN, query_prefix: 'ask: ', document_prefix: 'say: ' },
    };
    expect(read(files, { query: 'find: ', document: '' }).prefixes).toEqual({
      query: 'find: ',
      document: 'say: ',
    });
  });

  it('knows pooling and prefixes of well-known encoders whose folder does not say them', () => {
    const config = (name: string) => ({
      ...NETWORK,
      'config.json': { _name_or_path: name, hidden_size: 384 },
    });
    expect(read(config('intfloat/multilingual-e5-small'))).toMatchObject({
      pooling: 'mean',
      prefixes: { query: 'query: ', document: 'passage: ' },
    });
    expect(read(config('BAAI/bge-small-en-v1.5')).pooling).toBe('cls');
  });

  it.each([
    [{ max_position_embeddings: 514, model_type: 'xlm-roberta' }, 512],
    [{ max_position_embeddings: 512, model_type: 'bert' }, 512],
    [{ max_position_embeddings: 8_192, model_type: 'bert' }, 1_024],
    [{}, 512],
  ])('reads as many tokens as the network has places for, and no page of them: %j', (config, expected) => {
    expect(read({ ...NETWORK, 'config.json': { ...PLAIN, ...config } }).maxTokens).toBe(expected);
  });

  it('has an id that tells encoders apart by all that decides on the vectors of documents', () => {
    const idWith = (changes: Record<string, unknown>, config: Record<string, unknown> = {}) =>
      read({ ...NETWORK, ...changes, 'config.json': { ...PLAIN, ...config } }).id;
    const id = idWith({});
    expect(id).toMatch(/^local\/plain@[0-9a-f]{8}$/);
    expect(idWith({})).toBe(id);
    expect(idWith({}, { query_prefix: 'ask: ' })).toBe(id);
    const others = [
      idWith({ 'model.onnx': 'another' }),
      idWith({ 'tokenizer.json': { other: true } }),
      idWith({ 'tokenizer_config.json': { do_lower_case: true } }),
      idWith({ 'model.onnx_data': 'weights' }),
      idWith({}, { pooling: 'mean' }),
      idWith({}, { max_tokens: 128 }),
      idWith({}, { document_prefix: 'say: ' }),
    ];
    expect(new Set([id, ...others]).size).toBe(others.length + 1);
  });

  it('sees whether texts that are computed together share their scales, wherever the operator stands', () => {
    const network = `${'x'.repeat((1 << 20) - 10)}DynamicQuantizeLinear`;
    expect(read({ ...NETWORK, 'model.onnx': network, 'config.json': PLAIN }).sharesScales).toBe(true);
  });

  it.each([
    ['no network', { 'tokenizer.json': {}, 'config.json': PLAIN }, 'it has no network: one of model.onnx'],
    ['no tokenizer', { 'model.onnx': 'network', 'config.json': PLAIN }, 'it has no tokenizer.json'],
    [
      'a pointer of Git LFS',
      { ...NETWORK, 'model.onnx': 'version https://git-lfs.github.com/spec/v1\n', 'config.json': PLAIN },
      'git lfs pull',
    ],
    ['a damaged file', { ...NETWORK, 'config.json': '{"name"' }, 'config.json cannot be read as JSON'],
    ['no word of pooling', { ...NETWORK, 'config.json': { name: 'x', hidden_size: 8 } }, '"pooling": "cls"'],
    [
      'a pooling that is not known',
      { ...NETWORK, 'config.json': { ...PLAIN, pooling: 'attention' } },
      'pooling has to be one of cls, mean, max, last',
    ],
    [
      'two poolings at once',
      {
        ...NETWORK,
        'config.json': { hidden_size: 8 },
        '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true },
      },
      'pooling_mode_cls_token + pooling_mode_mean_tokens',
    ],
    [
      'a weighted pooling',
      {
        ...NETWORK,
        'config.json': { hidden_size: 8 },
        '1_Pooling/config.json': { pooling_mode_weightedmean_tokens: true },
      },
      'the pooling pooling_mode_weightedmean_tokens of its configuration is not known',
    ],
    [
      'a further step',
      { ...NETWORK, 'config.json': PLAIN, 'modules.json': [{ type: 'sentence_transformers.models.Dense' }] },
      'a step that is not known here: Dense',
    ],
    ['no size', { ...NETWORK, 'config.json': { name: 'x', pooling: 'cls' } }, '"dimensions": NUMBER'],
    [
      'vectors too large to store',
      { ...NETWORK, 'config.json': { ...PLAIN, dimensions: 4_096 } },
      'its vectors have 4096 numbers, and 2000 can be stored',
    ],
  ])('refuses a folder with %s, and says what to do', (_, files, expected) => {
    expect(problemOf(files)).toContain(expected);
    expect(problemOf(files)).toContain(root);
  });

  it('refuses a folder that is not there', () => {
    expect(() => readEncoderFolder(join(root, 'nowhere'))).toThrow('there is no such folder');
  });
});

describe('calibrationOf', () => {
  it('knows encoders that were measured, and trusts others as much as words', () => {
    expect(calibrationOf('bge-small-en-v1.5')).not.toBe(UNMEASURED);
    expect(calibrationOf('bge-large-en-v1.5')).toBe(UNMEASURED);
    expect(calibrationOf('somebodys-own')).toBe(UNMEASURED);
  });
});
