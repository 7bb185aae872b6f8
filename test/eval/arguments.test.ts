import { describe, expect, it } from 'vitest';
import { readArguments } from '../../eval/arguments.ts';
import { settingAt, settingsInForce } from '../../eval/retrieval-settings.ts';
import { UsageError } from '../../eval/usage-error.ts';
import { FAKE_CALIBRATION } from '../fakes/embedding-model.ts';

const SETS = {
  all: ['docs-qa', 'scifact', 'scipages', 'routing'],
  retrieval: ['docs-qa', 'scifact', 'scipages'],
};
const inForce = settingsInForce(FAKE_CALIBRATION);
const read = (...args: string[]) => readArguments(args, SETS, inForce);

describe('the command line of the evaluation', () => {
  it('runs all sets as they are, or those that are named, by a telling part too', () => {
    expect(read()).toEqual({ names: SETS.all, rerank: false, contextsUsd: null, keep: null, tuned: null });
    expect(read('docs', 'routing').names).toEqual(['docs-qa', 'routing']);
    expect(() => read('sci')).toThrow('There is no set sci. Sets: docs-qa, scifact, scipages, routing.');
  });

  it('has contexts written for no more than is allowed', () => {
    expect(read('docs', '--contextual')).toMatchObject({ names: ['docs-qa'], contextsUsd: 1 });
    expect(read('--contextual', '--max-usd', '2.5')).toMatchObject({
      names: SETS.retrieval,
      contextsUsd: 2.5,
    });
    expect(() => read('--contextual', '--max-usd', 'much')).toThrow(UsageError);
    expect(() => read('--max-usd', '2')).toThrow('give --contextual, too');
  });

  it('measures retrieval alone with other settings, and the rest of them as they are', () => {
    const { names, tuned } = read(
      '--set',
      'fusion.k=40',
      '--set',
      'lexical.bm25.b=0.6',
      '--set',
      'model.fusionWeight=1',
    );
    expect(names).toEqual(SETS.retrieval);
    expect(tuned).toEqual({
      sweptKey: null,
      variants: [
        {
          ...inForce,
          fusion: { k: 40 },
          lexical: { ...inForce.lexical, bm25: { ...inForce.lexical.bm25, b: 0.6 } },
          model: { ...FAKE_CALIBRATION, fusionWeight: 1 },
        },
      ],
    });
  });

  it('measures retrieval with a reranker, where it is asked for', () => {
    expect(read('--rerank')).toEqual({
      names: SETS.retrieval,
      rerank: true,
      contextsUsd: null,
      keep: null,
      tuned: null,
    });
    expect(read('scifact', '--rerank', '--set', 'fusion.k=40')).toMatchObject({
      names: ['scifact'],
      rerank: true,
      tuned: { sweptKey: null },
    });
    expect(() => read('routing', '--rerank')).toThrow(UsageError);
  });

  it('sweeps one setting, beside others that are set', () => {
    const { tuned } = read('scifact', '--sweep', 'fusion.k=20,40', '--set', 'turns.depth=9');
    const variants = tuned?.variants ?? [];
    expect(tuned?.sweptKey).toBe('fusion.k');
    expect(variants.map((settings) => settingAt(settings, 'fusion.k'))).toEqual([20, 40]);
    expect(variants.map((settings) => settingAt(settings, 'turns.depth'))).toEqual([9, 9]);
  });

  it.each([
    ['fusion.kk=4', 'There is no setting fusion.kk. The nearest is fusion.k.'],
    ['k1=4', 'There is no setting k1. The nearest is lexical.bm25.k1.'],
    ['fusion=4', 'There is no setting fusion. The nearest is fusion.k.'],
    ['9=4', 'There is no setting 9. Settings: index.headerWeight, fusion.k,'],
    ['fusion.k', 'fusion.k has no value'],
    ['fusion.k=', 'fusion.k is a number, and "" is none.'],
    ['fusion.k=ten', 'fusion.k is a number, and "ten" is none.'],
    ['fusion.k=-1', 'fusion.k is refused: Too small'],
    ['turns.depth=1.5', 'turns.depth is refused: Invalid input: expected int'],
    ['lexical.file.leavesOfShort=5', 'lexical.file is refused: leavesOfShort must be less than leavesOfLong'],
    ['fusion.k=1,2', '--set takes one value; --sweep takes several: fusion.k=1,2'],
  ])('refuses --set %s', (text, message) => {
    expect(() => read('--set', text)).toThrow(message);
  });

  it('refuses what would change nothing, and two sweeps at once', () => {
    expect(() => read('routing', '--set', 'fusion.k=4')).toThrow('change nothing of routing');
    expect(() => read('--sweep', 'fusion.k=4', '--sweep', 'turns.depth=4')).toThrow('given twice');
    expect(() => read('--sett', 'fusion.k=4')).toThrow("Unknown option '--sett'");
  });

  it('takes two settings that depend on each other', () => {
    expect(
      read('--set', 'lexical.file.leavesOfShort=5', '--set', 'lexical.file.leavesOfLong=6').tuned,
    ).not.toBeNull();
  });

  it('keeps what the service does under a name that a file can have', () => {
    expect(read('--keep', 'bge-small', 'docs')).toMatchObject({ names: ['docs-qa'], keep: 'bge-small' });
    expect(read('--keep', 'all').names).toEqual(SETS.retrieval);
    expect(() => read('--keep', '../secret')).toThrow(UsageError);
    expect(() => read('--keep', 'swept', '--set', 'fusion.k=40')).toThrow('not with --set or --sweep');
  });
});
