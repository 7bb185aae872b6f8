import type { File } from '../contract/file.ts';
import type { Database } from '../db/database.ts';
import { selectChangedFiles, selectChangedUnsettled } from '../db/file-changes.ts';
import type { Scope } from '../scope.ts';
import { createOutageLog, type OutageLogger } from './outage-log.ts';
import { createSharedPoll } from './shared-poll.ts';

export interface FileChangeDeps {
  db: Database;
  log: OutageLogger;
}

/** How files change, in whichever process: one statement looks for all who wait in this one. */
export function createFileChanges({ db, log }: FileChangeDeps) {
  const files = createSharedPoll<{ scope: Scope; fileId: string }, File | null>({
    nameOf: ({ scope, fileId }) => JSON.stringify([scope.workspaceId, scope.projectId, fileId]),
    readChanged: (known) => selectChangedFiles(db, known),
    outage: createOutageLog(log, 'the look for changes of files'),
  });
  const unsettled = createSharedPoll<Scope, number>({
    nameOf: ({ workspaceId, projectId }) => JSON.stringify([workspaceId, projectId]),
    readChanged: (known) => selectChangedUnsettled(db, known),
    outage: createOutageLog(log, 'the count of files that are being ingested'),
  });
  return {
    /** The file as it is, under whatever name, and again whenever it has changed; null: there is none any more. */
    watchFile: (scope: Scope, fileId: string, signal: AbortSignal) => files.watch({ scope, fileId }, signal),

    /** How many files of a project are being ingested, or wait to be, and again whenever that has changed. */
    watchUnsettled: (scope: Scope, signal: AbortSignal) => unsettled.watch(scope, signal),

    /** Called when files were changed in this process: those who wait need not wait for the next look. */
    nudge(): void {
      files.nudge();
      unsettled.nudge();
    },
  };
}

export type FileChanges = ReturnType<typeof createFileChanges>;
