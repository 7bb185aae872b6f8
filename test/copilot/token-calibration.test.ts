import { describe, expect, it } from 'vitest';
import {
  budgetFactor,
  calibrated,
  createCalibrator,
  limitFactor,
  tokenFactor,
  UNCALIBRATED,
} from '../../src/copilot/token-calibration.ts';
import recorded from '../fixtures/token-pairs.json' with { type: 'json' };

const pairs = (recording: number[][], scale = 1) =>
  recording.map(([counted = 0, reported = 0]) => ({ counted, reported: Math.round(reported * scale) }));

describe.each([
  ['cl100k', pairs(recorded.vocabularies.cl100k)],
  ['p50k', pairs(recorded.vocabularies.p50k)],
  ['the one published for Claude 2', pairs(recorded.vocabularies.claude2)],
  ['one with a third more tokens', pairs(recorded.vocabularies.p50k, 1.3)],
])('a model that counts in %s', (_name, session) => {
  it('is estimated within 5 % from the second prompt on, by what the ones before it reported', () => {
    let calibration = UNCALIBRATED;
    for (const [index, pair] of session.entries()) {
      const estimate = pair.counted * tokenFactor(calibration);
      if (index > 0) expect(Math.abs(estimate / pair.reported - 1)).toBeLessThan(0.05);
      // what fits a limit by this factor does fit it
      expect(pair.counted * limitFactor(calibration)).toBeGreaterThanOrEqual(index > 0 ? pair.reported : 0);
      calibration = calibrated(calibration, pair);
    }
  });
});

describe('a calibration', () => {
  it('makes budgets smaller, never larger', () => {
    expect(budgetFactor(UNCALIBRATED)).toBe(1);
    expect(budgetFactor(calibrated(UNCALIBRATED, { counted: 1_000, reported: 800 }))).toBe(1);
    expect(budgetFactor(calibrated(UNCALIBRATED, { counted: 1_000, reported: 1_200 }))).toBe(1.2);
  });

  it('keeps a margin to limits, a wide one while nothing is known', () => {
    expect(limitFactor(UNCALIBRATED)).toBe(1.2);
    expect(limitFactor(calibrated(UNCALIBRATED, { counted: 1_000, reported: 1_000 }))).toBe(1.05);
  });

  it.each([
    [1_000, 0],
    [1_000, 100],
    [1_000, 9_000],
    [0, 0],
    [0, 10],
    [1_000, Number.NaN],
  ])('learns nothing from %i counted and %i reported', (counted, reported) => {
    expect(calibrated(UNCALIBRATED, { counted, reported })).toBe(UNCALIBRATED);
  });

  it('follows a model that changes its vocabulary', () => {
    let calibration = UNCALIBRATED;
    for (let i = 0; i < 50; i++) calibration = calibrated(calibration, { counted: 5_000, reported: 5_000 });
    for (let i = 0; i < 40; i++) calibration = calibrated(calibration, { counted: 5_000, reported: 6_000 });
    expect(tokenFactor(calibration)).toBeCloseTo(1.2, 1);
  });

  it('is kept for each model apart', () => {
    const calibrator = createCalibrator();
    calibrator.learn('a', { counted: 1_000, reported: 1_100 });
    expect(tokenFactor(calibrator.of('a'))).toBe(1.1);
    expect(calibrator.of('b')).toEqual(UNCALIBRATED);
  });

  it('starts from what is published of a model, until that has reported', () => {
    const calibrator = createCalibrator((model) => (model === 'new' ? 1.3 : 1));
    expect([tokenFactor(calibrator.of('new')), tokenFactor(calibrator.of('other'))]).toEqual([1.3, 1]);
    expect(budgetFactor(calibrator.of('new'))).toBe(1.3);
    expect(limitFactor(calibrator.of('new'))).toBeCloseTo(1.56, 10);
    calibrator.learn('new', { counted: 1_000, reported: 1_400 });
    expect(tokenFactor(calibrator.of('new'))).toBe(1.4);
  });
});
