import type { Queryable } from '../../db/database.ts';
import { type IngestRun, recordProgress, recordWait } from '../../db/file-runs.ts';
import type { EmbeddingWait } from '../../embeddings/model.ts';
import type { Scope } from '../../scope.ts';

/**
 * Shows on the file how its embedding goes on: chunks done, and pauses that the provider makes necessary. What is written
 * is for whoever watches, so one that is lost does no harm. `ended` aborts when a write finds that the run has ended.
 */
export function createEmbeddingProgress(db: Queryable, scope: Scope, run: IngestRun) {
  const ended = new AbortController();
  let writes: Promise<unknown> = Promise.resolve();
  // one after another: a pause must not be hidden by the progress before it
  const write = (work: () => Promise<unknown>) => {
    writes = writes.then(work).catch(() => undefined);
  };
  return {
    ended: ended.signal,
    onProgress(chunksDone: number): void {
      write(async () => {
        if (!(await recordProgress(db, scope, run, { chunksDone }))) ended.abort();
      });
    },
    onWait(wait: EmbeddingWait): void {
      write(() => recordWait(db, scope, run, wait));
    },
    /** Settles when all has been written. */
    written: () => writes,
  };
}
