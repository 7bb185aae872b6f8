import { seededRandom } from '../bench/search-corpus.ts';
import { mean } from './retrieval-metrics.ts';

/** Samples that are drawn: the ends of an interval differ by less than .002 from run to run of another seed. */
const SAMPLES = 10_000;
const SEED = 20_261_123;
const TAIL = 0.025;

/** Where 95 of 100 means lie of samples drawn from the same questions. */
export interface Interval {
  low: number;
  high: number;
}

/** The means of samples of the values, with replacement, ascending; the same in every run. */
function sampledMeans(values: readonly number[]): Float64Array {
  const random = seededRandom(SEED);
  const means = Float64Array.from({ length: SAMPLES }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn++)
      sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  });
  return means.sort();
}

const intervalOf = (means: Float64Array): Interval => ({
  low: means[Math.floor(TAIL * SAMPLES)] ?? Number.NaN,
  high: means[Math.ceil((1 - TAIL) * SAMPLES) - 1] ?? Number.NaN,
});

/** The interval of a mean by the percentile bootstrap: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13. */
export const confidenceInterval = (values: readonly number[]): Interval => intervalOf(sampledMeans(values));

/** What one way of searching has over another, question by question. */
export interface PairedDifference {
  difference: number;
  interval: Interval;
  /** How often chance alone would give a difference as large, where the two were equal. */
  p: number;
  better: number;
  worse: number;
}

/**
 * Compares two ways on the same questions: interval by the paired bootstrap, significance by Fisher's randomisation test, which
 * gives each difference a sign by chance (Smucker, Allan and Carterette, "A Comparison of Statistical Significance Tests for
 * Information Retrieval Evaluation", 2007).
 *
 * @param before scores of the one, `after` of the other, in the same order of questions
 */
export function comparePaired(before: readonly number[], after: readonly number[]): PairedDifference {
  if (before.length !== after.length) throw new RangeError('the two have not the same questions');
  const differences = after.map((score, index) => score - (before[index] ?? 0));
  const difference = mean(differences);
  const random = seededRandom(SEED);
  let asLarge = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    let sum = 0;
    for (const value of differences) sum += random() < 0.5 ? value : -value;
    if (Math.abs(sum / differences.length) >= Math.abs(difference) - 1e-12) asLarge++;
  }
  return {
    difference,
    interval: intervalOf(sampledMeans(differences)),
    p: asLarge / SAMPLES,
    better: differences.filter((value) => value > 0).length,
    worse: differences.filter((value) => value < 0).length,
  };
}
