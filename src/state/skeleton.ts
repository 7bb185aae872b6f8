import {
  MAX_HISTORY,
  type ProjectState,
  SKELETON_FIELDS,
  type SkeletonEntry,
  type SkeletonField,
} from './schema.ts';

export type Skeleton = ProjectState['skeleton'];

/** Who writes, and when: `turn` is null for a client. */
export interface Authorship {
  turn: number | null;
  now: Date;
}

/**
 * Sets a field; the value it had goes to the end of its history (the oldest go when that is full). An empty value clears
 * the field and keeps its history. Setting what is there already changes nothing.
 */
export function setSkeletonField(
  skeleton: Skeleton,
  field: SkeletonField,
  value: string,
  { turn, now }: Authorship,
): Skeleton {
  const text = value.trim();
  const current = skeleton[field];
  if (text === (current?.value ?? '')) return skeleton;
  const history = current ? [...current.history, revisionOf(current)].slice(-MAX_HISTORY) : [];
  return { ...skeleton, [field]: { value: text, turn, updated_at: now.toISOString(), history } };
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
