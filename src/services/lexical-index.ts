import type { Database, Queryable } from '../db/database.ts';
import { enqueueJob, enqueueOnce, type NewJob } from '../db/jobs.ts';
import { writeLeafPostings, writeTurnPostings } from '../db/postings.ts';
import { holdProject } from '../db/projects.ts';
import {
  findSearchableVersion,
  findStaleFile,
  findStaleTurn,
  holdSearchableVersion,
  holdStaleTurn,
  type SearchableVersion,
  selectLeavesToIndex,
  selectStaleProjects,
} from '../db/stale-postings.ts';
import { DatabaseError } from '../errors.ts';
import type { JobHandler } from '../jobs/run-job.ts';
import type { Scope } from '../scope.ts';
import { createPostingsBuilder, languageOfLeaves, turnWords } from '../text/postings.ts';
import { WEIGHT } from '../weight.ts';
import { enqueueSegmentsOf } from './segments.ts';

/** Leaves read and analysed at a time: some milliseconds, then others get their turn. The first say which language it is. */
const LEAVES_AT_ONCE = 50;
/** Files and turns of one job: then other jobs get theirs. */
const ITEMS_PER_JOB = 50;

// files that people wait for come first
const INDEX_JOB: NewJob = {
  kind: 'index_words',
  subject: 'project',
  payload: {},
  maxAttempts: 5,
  standsBack: 60,
  weight: WEIGHT.heavy,
};

/** Indexes what is searched of a file again; does nothing, and says so with false, when it has changed meanwhile. */
async function indexVersion(db: Database, scope: Scope, file: SearchableVersion): Promise<boolean> {
  const leavesAfter = (after: number) =>
    selectLeavesToIndex(db, scope, file, { after, limit: LEAVES_AT_ONCE });
  let leaves = await leavesAfter(-1);
  const builder = createPostingsBuilder(languageOfLeaves(leaves));
  for (let last = leaves.at(-1); last; last = leaves.at(-1)) {
    for (const leaf of leaves) builder.add(leaf);
    leaves = await leavesAfter(last.leafIndex);
  }
  const postings = builder.build();
  return db.transaction(async (tx) => {
    // a version that has taken its place meanwhile brought postings of its own; one that was renamed is still to be indexed
    if (!(await holdProject(tx, scope)) || !(await holdSearchableVersion(tx, scope, file))) return false;
    await writeLeafPostings(tx, scope, file.fileId, postings);
    return true;
  });
}

/** Indexes a file again whose leaves have other words than they had. */
export async function indexFileAgain(db: Database, scope: Scope, fileId: string): Promise<void> {
  const file = await findSearchableVersion(db, scope, fileId);
  if (!file) return;
  await indexVersion(db, scope, file);
  await enqueueSegmentsOf(db, scope);
}

/** Indexes a turn of another build again, unless it has changed or gone meanwhile. */
const indexTurn = (db: Database, scope: Scope, turnNumber: number): Promise<void> =>
  db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return;
    const turn = await holdStaleTurn(tx, scope, turnNumber);
    if (turn) await writeTurnPostings(tx, scope, turnNumber, turnWords(turn));
  });

/** Up to where a project was gone through: its files in the order of their ids, then its turns. */
interface Place {
  fileId: string;
  turnNumber: number;
}

const BEGINNING: Place = { fileId: '', turnNumber: -1 };

/** A file or a turn that could not be indexed. */
interface Unindexed extends Scope {
  fileId?: string;
  turnNumber?: number;
}

/** Told of what could not be indexed, and why. */
export type OnUnindexed = (item: Unindexed, error: unknown) => void;

/** A statement that took too long: the database answers others. */
const TOOK_TOO_LONG = '57014';

/** Whether a failure is the item's own, so that others are not to wait for it: not of a database that is in trouble. */
const isOfItem = (error: unknown): boolean =>
  !(error instanceof DatabaseError && error.isPostponed) || error.code === TOOK_TOO_LONG;

/** Does the work of an item; what it fails of is told, and thrown only when it would fail others too. */
async function attempt<T>(work: Promise<T>, failed: (error: unknown) => void): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isOfItem(error)) throw error;
    failed(error);
    return undefined;
  }
}

/**
 * Indexes the next file or turn of another build. One that cannot be indexed is passed over, and stays as it is for now: what is
 * behind it does not wait.
 *
 * @returns how far the project was gone through, and whether something was indexed; null when there is nothing left
 */
async function indexNext(
  db: Database,
  scope: Scope,
  { place, onUnindexed }: { place: Place; onUnindexed: OnUnindexed },
): Promise<{ place: Place; isDone: boolean } | null> {
  const { workspaceId, projectId } = scope;
  let isDone = true;
  const failed = (item: Omit<Unindexed, keyof Scope>) => (error: unknown) => {
    isDone = false;
    onUnindexed({ workspaceId, projectId, ...item }, error);
  };
  const file = await findStaleFile(db, scope, place.fileId);
  if (file) {
    const { fileId } = file;
    const isWritten = await attempt(indexVersion(db, scope, file), failed({ fileId }));
    // one that has changed meanwhile is looked at once more
    return { place: isWritten === false ? place : { ...place, fileId }, isDone };
  }
  const turnNumber = await findStaleTurn(db, scope, place.turnNumber);
  if (turnNumber === null) return null;
  await attempt(indexTurn(db, scope, turnNumber), failed({ turnNumber }));
  return { place: { ...place, turnNumber }, isDone };
}

/**
 * Adds a job for each project with files or turns whose postings are of another build of the lexical index. Until it is
 * done they are searched as they are: what has the same terms in both builds is found.
 *
 * @param builds `older`: as `other`, but what a newer build wrote is left alone
 */
export async function enqueueIndexing(db: Database, builds: 'other' | 'older'): Promise<void> {
  for (const scope of await selectStaleProjects(db, builds)) await enqueueOnce(db, scope, INDEX_JOB);
}

/** The same for one project, in the transaction that made something stale: behind a job that may be ending just now. */
export const enqueueIndexingOf = (tx: Queryable, scope: Scope): Promise<void> =>
  enqueueJob(tx, scope, INDEX_JOB);

const placeOf = ({ fileId, turnNumber }: Record<string, unknown>): Place => ({
  fileId: typeof fileId === 'string' ? fileId : BEGINNING.fileId,
  turnNumber: typeof turnNumber === 'number' ? turnNumber : BEGINNING.turnNumber,
});

/**
 * The job that does so, for a part of a project; it is followed by another for the rest. What could not be indexed is tried again
 * when jobs are next added.
 */
export function createIndexingHandler(
  db: Database,
  log: { warn(details: object, message: string): void },
): JobHandler {
  const onUnindexed: OnUnindexed = (item, err) =>
    log.warn({ ...item, err }, 'the words of a file or turn could not be indexed: it is passed over');
  return {
    async run(job, signal) {
      let place = placeOf(job.payload);
      for (let left = ITEMS_PER_JOB; left > 0; left -= 1) {
        signal.throwIfAborted();
        const step = await indexNext(db, job, { place, onUnindexed });
        if (!step) return enqueueSegmentsOf(db, job);
        place = step.place;
      }
      await enqueueJob(db, job, { ...INDEX_JOB, payload: { ...place } });
    },
    // the next start asks for it again
    giveUp: async () => undefined,
  };
}

/**
 * Indexes everything of another build again, at once.
 *
 * @returns how many files and turns were indexed
 */
export async function indexWords(db: Database, onUnindexed: OnUnindexed): Promise<number> {
  let done = 0;
  for (const scope of await selectStaleProjects(db, 'other')) {
    let step = await indexNext(db, scope, { place: BEGINNING, onUnindexed });
    while (step) {
      if (step.isDone) done += 1;
      step = await indexNext(db, scope, { place: step.place, onUnindexed });
    }
  }
  return done;
}
