import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Refuses a statement on the database while the caller's own transaction is open. On the embedded database it would
 * wait for itself for ever, on a server it would run outside the transaction: both are mistakes, so both backings say so.
 */
export function createTransactionGuard() {
  const scope = new AsyncLocalStorage<{ open: boolean }>();
  return {
    assertOutside(): void {
      if (scope.getStore()?.open === true) {
        throw new Error('a statement was sent past the open transaction: use the handle that it was given');
      }
    },
    /** Runs `work` marked as being inside a transaction, until it settles. */
    async inside<T>(work: () => Promise<T>): Promise<T> {
      const mark = { open: true };
      try {
        return await scope.run(mark, work);
      } finally {
        mark.open = false;
      }
    },
  };
}
