import type { Queryable } from '../db/database.ts';
import { type SegmentFiles, selectLivingFiles, selectSegmentFiles } from '../db/segments.ts';
import type { Scope } from '../scope.ts';

/** The files of a segment, and where the leaves of each begin among those of the segment. */
export interface KnownSegment extends SegmentFiles {
  starts: Int32Array;
  /** Of all files. */
  leafCount: number;
  /** By place, 1: the file was deleted or indexed again since, as far as is known. It never counts again. */
  isGone: Uint8Array;
}

/** Files that are remembered, of all segments together: some 30 MB. */
const MOST_FILES = 300_000;

// a segment never changes: what is known of it is so until it is gone
const known = new Map<string, KnownSegment>();
let files = 0;

function remember(id: string, segment: KnownSegment): void {
  if (!known.has(id)) files += segment.ids.length;
  known.delete(id);
  known.set(id, segment);
  for (const [oldest, { ids }] of known) {
    if (files <= MOST_FILES || oldest === id) break;
    known.delete(oldest);
    files -= ids.length;
  }
}

function place(segment: SegmentFiles): KnownSegment {
  const starts = new Int32Array(segment.leaves.length);
  let leafCount = 0;
  for (const [index, leaves] of segment.leaves.entries()) {
    starts[index] = leafCount;
    leafCount += leaves;
  }
  return { ...segment, starts, leafCount, isGone: new Uint8Array(segment.ids.length) };
}

/** What some segments of a project hold; null: one of them was replaced by another meanwhile. */
export async function segmentsOf(
  db: Queryable,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, KnownSegment> | null> {
  const unknown = ids.filter((id) => !known.has(id));
  const read = unknown.length > 0 ? await selectSegmentFiles(db, scope, unknown) : new Map<string, never>();
  const segments = new Map<string, KnownSegment>();
  for (const id of ids) {
    const files = read.get(id);
    const segment = known.get(id) ?? (files && place(files));
    if (!segment) return null;
    segments.set(id, segment);
  }
  for (const [id, segment] of segments) remember(id, segment);
  return segments;
}

/**
 * Looks which files of some segments count no more, and remembers them.
 *
 * @returns whether any were not known to be gone
 */
export async function findGone(db: Queryable, scope: Scope, ids: readonly string[]): Promise<boolean> {
  let isNew = false;
  for (const [id, living] of await selectLivingFiles(db, scope, ids)) {
    const segment = known.get(id);
    for (const [place, fileId] of (segment?.ids ?? []).entries()) {
      if (!segment || segment.isGone[place] || living.has(fileId)) continue;
      segment.isGone[place] = 1;
      isNew = true;
    }
  }
  return isNew;
}
