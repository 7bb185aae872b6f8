import type { Evidence } from '../../src/retrieval/bearing.ts';
import { openEvalModel } from '../embedding-model.ts';
import { settingsInForce } from '../retrieval-settings.ts';
import { type Asked, askAll } from './ask.ts';
import { loadAnswerability } from './load.ts';

// npx tsx eval/answerability/fit.ts: fits the coefficients of `relevance` (src/retrieval/tuning.ts) on the tune half, and
// prints them. With a vector on hybrid search, without one on search by words.

const FOR = ['told', 'specific', 'standing'] as const;
const AGAINST = ['unknown', 'missingName', 'unknownName'] as const;
type Feature = (typeof FOR)[number] | (typeof AGAINST)[number];

/** What keeps coefficients from following a single question: the weight of their squares. */
const RIDGE = 0.001;
const STEPS = 6_000;
const RATE = 0.8;

interface Example {
  values: number[];
  bears: boolean;
  weight: number;
}

const signed = (evidence: Evidence, feature: Feature): number =>
  (AGAINST.some((name) => name === feature) ? -1 : 1) * (evidence[feature] ?? 0);

/**
 * The passages that hold the answer of a question, against all that a question without an answer finds; each question
 * counts once. What else a question with an answer finds may bear on it or not: nobody has labelled that.
 */
function examplesOf(asked: readonly Asked[], features: readonly Feature[]): Example[] {
  return asked.flatMap(({ item, passages }) => {
    const labelled = item.answerable ? passages.filter(({ holds }) => holds) : passages;
    return labelled.map(({ evidence }) => ({
      values: features.map((feature) => signed(evidence, feature)),
      bears: item.answerable,
      weight: 1 / labelled.length,
    }));
  });
}

/** Logistic regression by gradient descent, no coefficient below 0. */
function fitLogistic(examples: readonly Example[], count: number): { bias: number; coefficients: number[] } {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  let bias = 0;
  let coefficients = new Array<number>(count).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = coefficients.map((value) => RIDGE * value);
    let ofBias = 0;
    for (const { values, bears, weight } of examples) {
      const logOdds = values.reduce((sum, value, at) => sum + value * (coefficients[at] ?? 0), bias);
      const error = ((1 / (1 + Math.exp(-logOdds)) - (bears ? 1 : 0)) * weight) / total;
      ofBias += error;
      for (const [at, value] of values.entries()) gradient[at] = (gradient[at] ?? 0) + error * value;
    }
    bias -= RATE * ofBias;
    coefficients = coefficients.map((value, at) => Math.max(0, value - RATE * (gradient[at] ?? 0)));
  }
  return { bias, coefficients };
}

const asked = await askAll(
  loadAnswerability('tune'),
  ['hybrid', 'lexical'],
  settingsInForce(openEvalModel().calibration),
);
for (const [mode, features] of [
  ['hybrid', [...FOR, ...AGAINST]],
  ['lexical', [...FOR.filter((name) => name !== 'standing'), ...AGAINST]],
] as const) {
  const { bias, coefficients } = fitLogistic(examplesOf(asked.get(mode) ?? [], features), features.length);
  const named = features.map((feature, at) => `${feature}: ${(coefficients[at] ?? 0).toFixed(2)}`);
  console.log(`${mode === 'hybrid' ? 'byBoth' : 'byWords'}: bias: ${bias.toFixed(2)}, ${named.join(', ')}`);
}
