import type { RerankReport } from '../../contract/passage.ts';
import type { ProjectState } from '../../contract/state.ts';
import { withoutNearDuplicates } from '../../copilot/near-duplicates.ts';
import { aboveFloor } from '../../retrieval/floor.ts';
import { likeliestFile } from '../../retrieval/likeliest-file.ts';
import { keepPlaces, mergeSources } from '../../retrieval/merge-sources.ts';
import type { Passage } from '../../retrieval/passage.ts';
import { spreadOverFiles } from '../../retrieval/spread-files.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';

/** What of the documents goes into a prompt, and what was left out of it. */
export interface ChosenPassages {
  passages: Passage[];
  /** All others that were found, in the order of their ranking, however little they bear on the message. */
  further: Passage[];
  /** Files that have nearly the same text as a passage, by its parent. */
  alsoIn: Map<string, string[]>;
  /** Sections of files that were searched. */
  considered: number;
  /** How many of the best were left out since they hardly bear on the message. */
  belowFloor: number;
  /** The least confidence of a passage that is not left out. */
  minScore: number;
  /** The file that bears on the message most likely, however little; null: nothing was found. */
  likeliestFile: string | null;
}

/**
 * The best passages, those of the files that the message is about a little ahead and copies left out, as far as they bear
 * on it.
 *
 * @param found.passages of one source in the order of their ranking; of all in one order, where a reranker has made it
 * @param files names of those that the message is about
 * @param summaries of the project's files: of two copies the newer file's is kept
 */
export function choosePassages(
  found: { passages: readonly Passage[]; considered: number; minScore: number; rerank: RerankReport | null },
  {
    files,
    summaries,
    limit,
    isBroad = false,
  }: {
    files: readonly string[];
    summaries: ProjectState['file_summaries'];
    limit: number;
    /** The message asks for more than one place in one file. */
    isBroad?: boolean;
  },
): ChosenPassages {
  const { considered, minScore } = found;
  // the message is about files of the project: no others were listed to the router
  const isMeant = ({ source, filename }: Passage) => source === 'project' && files.includes(filename);
  const rank = (passage: Passage): number =>
    passage.rank_score * (isMeant(passage) ? retrievalTuning.message.relevantFileBonus : 1);
  const sorted = found.passages.toSorted((a, b) => rank(b) - rank(a));
  const ranked = found.rerank?.outcome === 'done' ? sorted : mergeSources(sorted);
  const { passages: distinct, alsoIn } = withoutNearDuplicates(ranked, summaries);
  const kept = keepPlaces(distinct, limit, minScore);
  const placed = isBroad ? spreadOverFiles(kept, limit, minScore).hits : kept;
  const best = placed.slice(0, limit);
  const { hits, belowFloor } = aboveFloor(best, minScore);
  const chosen = new Set(hits.map(({ parent_id }) => parent_id));
  return {
    passages: hits,
    further: distinct.filter(({ parent_id }) => !chosen.has(parent_id)),
    alsoIn,
    considered,
    belowFloor,
    minScore,
    likeliestFile: likeliestFile(best),
  };
}
