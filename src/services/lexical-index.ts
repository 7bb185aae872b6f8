import type { Database, Queryable } from '../db/database.ts';
import { enqueueJob, enqueueOnce, type NewJob } from '../db/jobs.ts';
import { writeLeafPostings, writeTurnPostings } from '../db/postings.ts';
import { holdProject } from '../db/projects.ts';
import {
  findStaleFile,
  holdSearchableVersion,
  holdStaleTurn,
  selectLeavesToIndex,
  selectStaleProjects,
} from '../db/stale-postings.ts';
import type { JobHandler } from '../jobs/run-job.ts';
import type { Scope } from '../scope.ts';
import { createPostingsBuilder, turnWords } from '../text/postings.ts';
import { WEIGHT } from '../weight.ts';

/** Leaves read and analysed at a time: some milliseconds, then others get their turn. */
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

/** Indexes a file of another build again; false when the project has none. */
async function indexFile(db: Database, scope: Scope): Promise<boolean> {
  const file = await findStaleFile(db, scope);
  if (!file) return false;
  const builder = createPostingsBuilder();
  for (let after = -1; ; ) {
    const leaves = await selectLeavesToIndex(db, scope, file, { after, limit: LEAVES_AT_ONCE });
    for (const leaf of leaves) builder.add(leaf);
    const last = leaves.at(-1);
    if (!last) break;
    after = last.leafIndex;
  }
  const postings = builder.build();
  await db.transaction(async (tx) => {
    // a version that has taken its place meanwhile brought postings of its own; one that was renamed is still to be indexed
    if (!(await holdProject(tx, scope)) || !(await holdSearchableVersion(tx, scope, file))) return;
    await writeLeafPostings(tx, scope, file.fileId, postings);
  });
  return true;
}

/** Indexes a turn of another build again; false when the project has none. */
const indexTurn = (db: Database, scope: Scope): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await holdProject(tx, scope))) return false;
    const turn = await holdStaleTurn(tx, scope);
    if (!turn) return false;
    await writeTurnPostings(tx, scope, turn.turnNumber, turnWords(turn));
    return true;
  });

const indexNext = async (db: Database, scope: Scope): Promise<boolean> =>
  (await indexFile(db, scope)) || (await indexTurn(db, scope));

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

/** The job that does so, for a part of a project; it is followed by another for the rest. */
export function createIndexingHandler(db: Database): JobHandler {
  return {
    async run(job, signal) {
      for (let left = ITEMS_PER_JOB; left > 0; left -= 1) {
        signal.throwIfAborted();
        if (!(await indexNext(db, job))) return;
      }
      await enqueueJob(db, job, INDEX_JOB);
    },
    // the next start asks for it again
    giveUp: async () => undefined,
  };
}

/**
 * Indexes everything of another build again, at once.
 *
 * @returns how many files and turns there were
 */
export async function indexWords(db: Database): Promise<number> {
  let done = 0;
  for (const scope of await selectStaleProjects(db, 'other')) {
    while (await indexNext(db, scope)) done += 1;
  }
  return done;
}
