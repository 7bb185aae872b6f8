import type { Database } from '../db/database.ts';
import { enqueueJob, enqueueOnce, type NewJob } from '../db/jobs.ts';
import { holdProject } from '../db/projects.ts';
import {
  holdSegments,
  mergeFiles,
  type SegmentSize,
  selectFilesOfSegments,
  selectLooseFiles,
  selectSegmentSizes,
} from '../db/segment-merge.ts';
import { selectLargeProjects } from '../db/vector-indexes.ts';
import type { JobHandler } from '../jobs/run-job.ts';
import { totalsOf } from '../retrieval/known-projects.ts';
import { retrievalTuning } from '../retrieval/tuning.ts';
import type { Scope } from '../scope.ts';
import { WEIGHT } from '../weight.ts';

/** When segments are made, and how large they become. */
export interface SegmentPolicy {
  /** Leaves of a project from which on it has segments. */
  fromLeaves: number;
  /** Leaves of files outside of segments that are worth one. */
  leastLeaves: number;
  /** And how many such files are, however short: with twice as many, segments are no help (`filesOutside`). */
  leastFiles: number;
  /** Leaves of a segment at most: merging so many takes some seconds of the database. */
  mostLeaves: number;
  /** Segments that are not full, at which some are merged. */
  mostSmall: number;
}

const POLICY: SegmentPolicy = {
  fromLeaves: retrievalTuning.lexical.large.fromLeaves,
  leastLeaves: 2_000,
  leastFiles: retrievalTuning.lexical.large.filesOutside / 2,
  mostLeaves: 25_000,
  mostSmall: 8,
};

/** A segment with fewer of its leaves still counting is merged with others, and so is one that is less than half full. */
const LEAST_LIVING = 0.7;
const FULL = 0.5;
/** Merges of one job: then other jobs get theirs. */
const STEPS_PER_JOB = 4;

// nobody waits for it: a search reads the files themselves until then
const SEGMENTS_JOB: NewJob = {
  kind: 'merge_postings',
  subject: 'project',
  payload: {},
  maxAttempts: 5,
  standsBack: 60,
  weight: WEIGHT.heavy,
};

/** What one merge takes: segments that are not full or that much has gone from, as many as one segment holds. */
function segmentsToMerge(sizes: readonly SegmentSize[], { mostLeaves, mostSmall }: SegmentPolicy): string[] {
  const worn = sizes.filter(({ leaves, living }) => living < LEAST_LIVING * leaves);
  const small = sizes.filter(({ living }) => living < FULL * mostLeaves);
  if (worn.length === 0 && small.length < mostSmall) return [];
  const merged: string[] = [];
  let leaves = 0;
  for (const { segmentId, living } of new Set([...worn, ...small])) {
    if (merged.length > 0 && leaves + living > mostLeaves) break;
    leaves += living;
    merged.push(segmentId);
  }
  return merged;
}

/**
 * Makes one segment of a large project's files that are in none, or of segments that are small or worn.
 *
 * @returns false when there was nothing to do
 */
export const keepSegments = (db: Database, scope: Scope, policy = POLICY): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return false;
    // before the files are chosen: two merges at a time would choose the same
    await holdSegments(tx, scope);
    const { leastLeaves, leastFiles, mostLeaves } = policy;
    const loose = await selectLooseFiles(tx, scope, { mostLeaves, mostOfFile: mostLeaves });
    const looseLeaves = loose.reduce((sum, { leaves }) => sum + leaves, 0);
    if (looseLeaves >= leastLeaves || loose.length >= leastFiles) {
      await mergeFiles(tx, scope, loose, []);
      return true;
    }
    const replaced = segmentsToMerge(await selectSegmentSizes(tx, scope), policy);
    if (replaced.length === 0) return false;
    await mergeFiles(tx, scope, await selectFilesOfSegments(tx, scope, replaced), replaced);
    return true;
  });

/**
 * Adds a job for each large project, which does nothing where there is nothing to do. The embedded database is left as it is: it has
 * one connection, and everybody would wait for a merge.
 */
export async function enqueueSegments(db: Database, policy = POLICY): Promise<void> {
  if (db.kind === 'embedded') return;
  for (const scope of await selectLargeProjects(db, policy.fromLeaves)) {
    await enqueueOnce(db, scope, SEGMENTS_JOB);
  }
}

/** The same for a project in which a file was stored, if it is large, as of some minutes ago at most. */
export async function enqueueSegmentsOf(db: Database, scope: Scope): Promise<void> {
  if (db.kind === 'embedded') return;
  const { leaves } = await totalsOf(db, scope);
  if (leaves >= POLICY.fromLeaves) await enqueueOnce(db, scope, SEGMENTS_JOB);
}

/** The job that does so, for a part of a project; it is followed by another for the rest. */
export function createSegmentsHandler(db: Database, policy = POLICY): JobHandler {
  return {
    async run(job, signal) {
      for (let left = STEPS_PER_JOB; left > 0; left -= 1) {
        signal.throwIfAborted();
        if (!(await keepSegments(db, job, policy))) return;
      }
      await enqueueJob(db, job, SEGMENTS_JOB);
    },
    // the next file, or the next start, asks for it again
    giveUp: async () => undefined,
  };
}
