import type { Queryable } from '../../db/database.ts';
import { enqueueJob, removeJobs } from '../../db/jobs.ts';
import { markContextsPending } from '../../db/leaf-contexts.ts';
import type { Scope } from '../../scope.ts';
import { WEIGHT } from '../../weight.ts';

// with the pauses between them some four minutes of an outage, besides those that the adapter sits out
const ATTEMPTS = 8;
/** Seconds that contexts stand back: the file is found without them. */
const STANDS_BACK = 30;

/** Adds the job that brings a file's contexts, words and vectors in line; one that is under way is taken back. */
export async function enqueueContexts(tx: Queryable, scope: Scope, fileId: string): Promise<void> {
  await removeJobs(tx, scope, 'write_contexts', fileId);
  await markContextsPending(tx, scope, fileId);
  await enqueueJob(tx, scope, {
    kind: 'write_contexts',
    subject: fileId,
    payload: {},
    maxAttempts: ATTEMPTS,
    standsBack: STANDS_BACK,
    weight: WEIGHT.small,
  });
}
