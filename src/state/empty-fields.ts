import { type Mode, SKELETON_FIELDS, type SkeletonField } from '../contract/state.ts';
import type { Knowledge } from '../knowledge/entry.ts';
import { filledFields, type Skeleton } from './skeleton.ts';

/**
 * What of discovery the evaluation rests on, besides what its own probes ask for: without a problem, an audience and
 * measures of success it is to go back (knowledge/evaluation/core.md).
 */
const RESTS_ON: Record<Mode, readonly SkeletonField[]> = {
  discovery: [],
  evaluation: ['problem_statement', 'target_audience', 'success_metrics'],
};

/** The fields of the skeleton that a mode needs and that have no value, in the order of the skeleton. */
export function emptyFields(skeleton: Skeleton, knowledge: Knowledge, mode: Mode): SkeletonField[] {
  const needed = new Set([...RESTS_ON[mode], ...knowledge.probes[mode].flatMap(({ fields }) => fields)]);
  const filled = new Set(filledFields(skeleton).map(([field]) => field));
  return SKELETON_FIELDS.filter((field) => needed.has(field) && !filled.has(field));
}
