import type { Source } from '../scope.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

interface Hit {
  source: Source;
  filename: string;
  score: number;
}

/**
 * The ranking with its first `limit` places spread over files, for a question that asks for more than one place in one: a file
 * has half of them at most, as long as others have something that bears on the question nearly as much. The first stays the
 * first, and those that change places are of one source.
 *
 * @param minScore the confidence from which on a hit bears on the question
 * @returns with those that have their place for their file
 */
export function spreadOverFiles<H extends Hit>(
  ranked: readonly H[],
  limit: number,
  minScore: number,
  { fileShare, nearlyAsMuch }: RetrievalTuning['breadth'] = retrievalTuning.breadth,
): { hits: H[]; moved: Set<H> } {
  const fileOf = ({ source, filename }: H): string => `${source}/${filename}`;
  const most = Math.max(1, Math.ceil(limit * fileShare));
  const first = new Set(ranked.slice(0, limit));
  const counts = new Map<string, number>();
  for (const hit of first) counts.set(fileOf(hit), (counts.get(fileOf(hit)) ?? 0) + 1);
  const countOf = (hit: H): number => counts.get(fileOf(hit)) ?? 0;
  const moved = new Set<H>();
  for (const other of ranked.slice(limit)) {
    if (other.score < minScore || countOf(other) >= most) continue;
    const worst = [...first].findLast(
      (hit) => countOf(hit) > most && hit.source === other.source && other.score >= nearlyAsMuch * hit.score,
    );
    if (!worst) continue;
    first.delete(worst);
    first.add(other);
    counts.set(fileOf(worst), countOf(worst) - 1);
    counts.set(fileOf(other), countOf(other) + 1);
    moved.add(other);
  }
  const hits = [...ranked.filter((hit) => first.has(hit)), ...ranked.filter((hit) => !first.has(hit))];
  return { hits, moved };
}
