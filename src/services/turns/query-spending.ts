import type { OnQuerySpent } from '../../retrieval/query-spending.ts';
import type { Preparation } from './turn-run.ts';

/**
 * Books the queries of a turn: in its own usage, or in the project's where the turn has ended by then, as when a search that
 * was not needed comes late.
 */
export const querySpending =
  ({ deps, scope, journal }: Pick<Preparation, 'deps' | 'scope' | 'journal'>): OnQuerySpent =>
  (spent) => {
    const hasEnded = journal.timings.total !== undefined;
    if (hasEnded) deps.queryUsage.add(scope, spent);
    else journal.spendQuery(spent);
  };
