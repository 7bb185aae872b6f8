import type { FileSource } from '../contract/staleness.ts';
import {
  MAX_HISTORY,
  type ProjectState,
  SKELETON_FIELDS,
  type SkeletonEntry,
  type SkeletonField,
} from '../contract/state.ts';
import { confirmed, taken } from './staleness.ts';

export type Skeleton = ProjectState['skeleton'];

/** Who writes, and when: `turn` is null for a client; `sources` are the files that it is taken from. */
export interface Authorship {
  turn: number | null;
  now: Date;
  sources?: readonly FileSource[];
}

/**
 * Sets a field; the value it had goes to the end of its history (the oldest go when that is full). An empty value clears
 * the field and keeps its history. Setting what is there already confirms it: only its sources change.
 */
export function setSkeletonField(
  skeleton: Skeleton,
  field: SkeletonField,
  value: string,
  { turn, now, sources = [] }: Authorship,
): Skeleton {
  const text = value.trim();
  const current = skeleton[field];
  if (text === (current?.value ?? '')) {
    if (!current || (current.stale.length === 0 && sources.length === 0)) return skeleton;
    return { ...skeleton, [field]: { ...current, ...confirmed(current, sources) } };
  }
  const history = current ? [...current.history, revisionOf(current)].slice(-MAX_HISTORY) : [];
  const entry = { value: text, turn, updated_at: now.toISOString(), history, ...taken(sources) };
  return { ...skeleton, [field]: entry };
}

/** The fields that have a value, in the order of the skeleton. */
export function filledFields(skeleton: Skeleton): [SkeletonField, SkeletonEntry][] {
  return SKELETON_FIELDS.flatMap((field): [SkeletonField, SkeletonEntry][] => {
    const entry = skeleton[field];
    return entry === undefined || entry.value === '' ? [] : [[field, entry]];
  });
}

function revisionOf({ value, turn, updated_at }: SkeletonEntry): SkeletonEntry['history'][number] {
  return { value, turn, at: updated_at };
}
