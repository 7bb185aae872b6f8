import type { Database } from '../../db/database.ts';
import { enqueueOnce } from '../../db/jobs.ts';
import { type OutlinedFile, readOutline } from '../../db/outlines.ts';
import type { Outline } from '../../documents/outline/outline.ts';
import type { Scope } from '../../scope.ts';
import { WEIGHT } from '../../weight.ts';
import { createOutlineCache } from './cache.ts';
import type { OutlineTelemetry } from './telemetry.ts';

const REBUILD_ATTEMPTS = 3;

export interface StoredOutlinesDeps {
  db: Database;
  telemetry: OutlineTelemetry;
  /** Told that jobs were committed. */
  onJob: () => void;
}

/** The outlines that were stored with their versions, kept in memory while they are read. */
export function createStoredOutlines({ db, telemetry, onJob }: StoredOutlinesDeps) {
  const cache = createOutlineCache();

  return {
    /** The outline of a version; null when there is none that fits it: it is then being made again. */
    async load(scope: Scope, file: OutlinedFile, version: number): Promise<Outline | null> {
      const key = [scope.workspaceId, scope.projectId, file.fileId, version, file.digest].join('\0');
      const held = cache.get(key);
      telemetry.add(held ? 'hits' : 'misses');
      if (held) return held;
      const stored = file.digest === null ? null : await readOutline(db, scope, file.fileId, version);
      if (stored) {
        cache.set(key, stored);
        return stored;
      }
      await enqueueOnce(db, scope, {
        kind: 'build_outline',
        subject: file.fileId,
        payload: { version },
        maxAttempts: REBUILD_ATTEMPTS,
        weight: WEIGHT.heavy,
      });
      onJob();
      return null;
    },
  };
}

export type StoredOutlines = ReturnType<typeof createStoredOutlines>;
