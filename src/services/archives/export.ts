import type { Readable } from 'node:stream';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_FORMAT_VERSION,
  type ArchiveCounts,
  ENTRIES,
  type Manifest,
} from '../../archive/format.ts';
import { writeZip } from '../../archive/write-zip.ts';
import { forWorkspace } from '../../db/bound-database.ts';
import type { Database } from '../../db/database.ts';
import { takeSnapshot } from '../../db/project-snapshot.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import { projectNotFound } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { version as forgeVersion } from '../../version.ts';
import type { Originals } from '../originals/originals.ts';
import { archiveEntries } from './entries.ts';

export interface ArchiveExportDeps {
  db: Database;
  originals: Pick<Originals, 'read'>;
  embeddingModel: Pick<EmbeddingModel, 'id' | 'dimensions'>;
  /** Stores what turns of this process have told and is still in memory. */
  flushEvents: () => Promise<void>;
}

/** The use case of taking a project out. */
export function createArchiveExport({ db, originals, embeddingModel, flushEvents }: ArchiveExportDeps) {
  return {
    /**
     * A project as a ZIP archive, as it is now: what can change is read at once, the rest while the archive is, a piece at a
     * time and without holding a connection. When a file or a turn is removed or tried again before it was read, the stream
     * fails, and what was read of it is no archive.
     *
     * @throws AppError `project_not_found`
     */
    async exportProject(scope: Scope, { withVectors }: { withVectors: boolean }): Promise<Readable> {
      const snapshot = await takeSnapshot(db, scope);
      if (!snapshot) throw projectNotFound(scope.projectId);
      await flushEvents();
      const counts: ArchiveCounts = {
        files: snapshot.files.length,
        versions: snapshot.files.reduce((sum, { versions }) => sum + versions.length, 0),
        turns: snapshot.turns.size,
        turn_events: 0,
        turn_summaries: 0,
        vectors: 0,
      };
      const head: Omit<Manifest, 'entries'> = {
        format: ARCHIVE_FORMAT,
        format_version: ARCHIVE_FORMAT_VERSION,
        forge_version: forgeVersion,
        created_at: new Date().toISOString(),
        project: { id: scope.projectId, name: snapshot.name },
        embedding: withVectors ? { model: embeddingModel.id, dimensions: embeddingModel.dimensions } : null,
        counts,
      };
      // whoever reads it on may be a socket, which is of no workspace
      const own = forWorkspace(db, scope.workspaceId);
      return writeZip(archiveEntries({ db: own, originals, scope, snapshot, withVectors }, counts), {
        path: ENTRIES.manifest,
        content: (entries) => `${JSON.stringify({ ...head, entries }, null, 2)}\n`,
      });
    },
  };
}
