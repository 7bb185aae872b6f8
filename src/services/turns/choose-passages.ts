import { aboveFloor } from '../../retrieval/floor.ts';
import { likeliestFile } from '../../retrieval/likeliest-file.ts';
import type { Passage } from '../../retrieval/passage.ts';
import { retrievalTuning } from '../../retrieval/tuning.ts';

/** What of the documents goes into a prompt, and what was left out of it. */
export interface ChosenPassages {
  passages: Passage[];
  /** Sections of the project's files that were searched. */
  considered: number;
  /** How many of the best were left out since they hardly bear on the message. */
  belowFloor: number;
  /** The least confidence of a passage that is not left out. */
  minScore: number;
  /** The file that bears on the message most likely, however little; null: nothing was found. */
  likeliestFile: string | null;
}

/**
 * The best passages, those of the files that the message is about a little ahead, as far as they bear on it.
 *
 * @param found.passages in the order of their ranking
 */
export function choosePassages(
  found: { passages: readonly Passage[]; considered: number; minScore: number },
  files: readonly string[],
  limit: number,
): ChosenPassages {
  const { passages, considered, minScore } = found;
  const rank = (passage: Passage): number =>
    passage.rank_score * (files.includes(passage.filename) ? retrievalTuning.message.relevantFileBonus : 1);
  const best = passages.toSorted((a, b) => rank(b) - rank(a)).slice(0, limit);
  const { hits, belowFloor } = aboveFloor(best, minScore);
  return { passages: hits, considered, belowFloor, minScore, likeliestFile: likeliestFile(best) };
}
