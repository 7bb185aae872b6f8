import type { Queryable } from '../../db/database.ts';
import { enqueueJob } from '../../db/jobs.ts';
import type { Scope } from '../../scope.ts';

const SUMMARY_ATTEMPTS = 5;

/** Adds the job that remembers a turn which has ended (`rememberTurn`). */
export const enqueueSummary = (tx: Queryable, scope: Scope, turnNumber: number): Promise<void> =>
  enqueueJob(tx, scope, {
    kind: 'summarise_turn',
    subject: String(turnNumber),
    payload: {},
    maxAttempts: SUMMARY_ATTEMPTS,
  });
