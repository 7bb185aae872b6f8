import type { Source } from '../scope.ts';
import { type RetrievalTuning, retrievalTuning } from './tuning.ts';

/** What a search has found, in one of several sources. */
interface Hit {
  source: Source;
  /** Confidence that it bears on the query, which compares across sources. */
  score: number;
}

/**
 * One ranking of what was found in the project and in the library. Each keeps its own order, which is that of its fused
 * ranks; between the two, confidence decides. As in `aboveFloor`, one that is less sure than one behind it counts as much
 * as that.
 *
 * @param hits those of a source in their order, the sources in any
 */
export function mergeSources<H extends Hit>(
  hits: readonly H[],
  { ownBonus }: RetrievalTuning['sources'] = retrievalTuning.sources,
): H[] {
  const own = hits.filter(({ source }) => source === 'project');
  const shared = hits.filter(({ source }) => source === 'library');
  const ownWorth = bestFromHereOn(own).map((score) => score + ownBonus);
  const sharedWorth = bestFromHereOn(shared);
  const merged: H[] = [];
  let [nextOwn, nextShared] = [0, 0];
  while (merged.length < hits.length) {
    const isOwn = (ownWorth[nextOwn] ?? -1) >= (sharedWorth[nextShared] ?? -1);
    const next = isOwn ? own[nextOwn++] : shared[nextShared++];
    if (next) merged.push(next);
  }
  return merged;
}

/**
 * The ranking with the first `limit` places so given that the library does not drown the project: half of them at least
 * are for the project's own, as far as it has any that bear on the query.
 *
 * @param minScore the confidence from which on a hit bears on it
 */
export function keepPlaces<H extends Hit>(
  ranked: readonly H[],
  limit: number,
  minScore: number,
  { ownShare }: RetrievalTuning['sources'] = retrievalTuning.sources,
): H[] {
  if (ranked.every(({ source }) => source === 'project')) return [...ranked];
  const own = ranked.filter(({ source, score }) => source === 'project' && score >= minScore);
  const reserved = new Set(own.slice(0, Math.ceil(limit * ownShare)));
  const free = ranked.filter((hit) => !reserved.has(hit)).slice(0, Math.max(0, limit - reserved.size));
  const first = new Set([...reserved, ...free]);
  return [...ranked.filter((hit) => first.has(hit)), ...ranked.filter((hit) => !first.has(hit))];
}

/** For each of the hits, the highest score of it and of those behind it. */
function bestFromHereOn(hits: readonly Hit[]): number[] {
  let highest = 0;
  return hits
    .toReversed()
    .map(({ score }) => {
      highest = Math.max(highest, score);
      return highest;
    })
    .reverse();
}
