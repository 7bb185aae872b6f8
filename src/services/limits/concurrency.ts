import type { Queryable } from '../../db/database.ts';
import { findRoom, type RunningKind } from '../../db/running.ts';
import { AppError } from '../../errors.ts';

/** How many of a workspace may be under way at a time, on all instances together; 0: any number. */
export interface Concurrency {
  turns: number;
  research: number;
}

const NAMES: Record<RunningKind, string> = { turns: 'turns', research_runs: 'research runs' };

/** One of them ends within this, as a rule. */
const RETRY_SECONDS = 5;

/** As many are under way as may be. */
export const tooManyAtOnce = (kind: RunningKind, limit: number): AppError =>
  new AppError('concurrency_limit', {
    detail: `As many ${NAMES[kind]} of the workspace are under way as may be at a time (${limit}). Send the request again when one of them has ended.`,
    retryAfterSeconds: RETRY_SECONDS,
    extra: { limit },
  });

/**
 * Refuses what would begin one more than may be, behind everything else that its transaction waits for.
 *
 * @throws AppError `concurrency_limit`
 */
export async function assertRoom(
  tx: Queryable,
  workspaceId: string,
  kind: RunningKind,
  limit: number,
): Promise<void> {
  if (!(await findRoom(tx, workspaceId, kind, limit))) throw tooManyAtOnce(kind, limit);
}
