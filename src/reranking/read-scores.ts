import { RerankError } from './model.ts';

/**
 * The scores of a reply in the order of the documents. It may have them in any order; it must have one for each document,
 * or nobody knows where the others belong.
 *
 * @param results as the provider sent them
 * @param expected.score the name of the member that a score has
 * @throws RerankError which is final
 */
export function readScores(
  results: unknown,
  { name, count, score }: { name: string; count: number; score: string },
): number[] {
  const refuse = (what: string): RerankError =>
    new RerankError({ message: `${name} sent ${what}`, retryable: false });
  if (!Array.isArray(results)) throw refuse('no results');
  if (results.length !== count) throw refuse(`${results.length} scores for ${count} documents`);
  const scores = new Array<number>(count).fill(Number.NaN);
  for (const result of results as unknown[]) {
    const { index, [score]: value } = (result ?? {}) as Record<string, unknown>;
    if (typeof index !== 'number' || !(index in scores)) throw refuse('a score of no document');
    if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse('a score that is no number');
    if (!Number.isNaN(scores[index])) throw refuse('two scores of one document');
    scores[index] = value;
  }
  return scores;
}
