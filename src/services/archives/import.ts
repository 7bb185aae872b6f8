import { randomBytes } from 'node:crypto';
import { type Archive, openArchive } from '../../archive/open-archive.ts';
import type { ProjectImport } from '../../contract/project-import.ts';
import type { Database } from '../../db/database.ts';
import { discardImport, publishProject, stageProject } from '../../db/project-restore.ts';
import { embedSummariesFromCache, restoreUsage, selectUnremembered } from '../../db/turn-restore.ts';
import type { EmbeddingModel } from '../../embeddings/model.ts';
import { AppError } from '../../errors.ts';
import { PROJECT_ID, type Scope } from '../../scope.ts';
import { enqueueIngest } from '../file-runs.ts';
import type { QuotaService } from '../limits/quotas.ts';
import type { Originals } from '../originals/originals.ts';
import { enqueueSummary } from '../turns/enqueue-summary.ts';
import { type CheckedArchive, checkArchive } from './check.ts';
import { archiveLimits, projectLimits } from './limits.ts';
import { type Restoration, restoreFiles, restoreTurns, restoreVectors } from './restore.ts';

/** What to do when there is a project of the id: refuse, or import under an id made from it. */
export const ON_CONFLICT = ['error', 'rename'] as const;

export interface ArchiveImportDeps {
  db: Database;
  originals: Originals;
  embeddingModel: Pick<EmbeddingModel, 'id' | 'dimensions'>;
  maxImportBytes: number;
  maxUploadBytes: number;
  maxFilesPerProject: number;
  quotas: QuotaService;
  /** Told that jobs were committed. */
  onJob: () => void;
}

/** How an archive is to be imported; what is left out is as the archive says. */
export interface ImportOptions {
  id?: string | undefined;
  name?: string | undefined;
  onConflict: (typeof ON_CONFLICT)[number];
  /** Whether the archive's vectors are trusted to belong to their texts. */
  withVectors: boolean;
}

/** What was imported, and where to. */
export interface Imported {
  scope: Scope;
  counts: ProjectImport['imported'];
  ignored: string[];
}

/** What a project takes of its workspace's quotas. */
const sizeOf = ({ files }: CheckedArchive) => ({
  projects: 1,
  files: files.length,
  bytes: files.flatMap(({ versions }) => versions).reduce((sum, { bytes }) => sum + bytes, 0),
});

/** The use case of taking a project in. */
export function createArchiveImport(deps: ArchiveImportDeps) {
  const { db, originals, embeddingModel, quotas, onJob } = deps;
  const limits = archiveLimits(deps.maxImportBytes);
  const ofProject = projectLimits(deps.maxFilesPerProject, deps.maxUploadBytes);

  /** Takes the id that is asked for, or one made from it. */
  async function stage(
    workspaceId: string,
    checked: CheckedArchive,
    { id, name, onConflict }: ImportOptions,
  ): Promise<Scope> {
    const wanted = id ?? checked.id;
    if (!PROJECT_ID.test(wanted)) {
      throw new AppError('archive_invalid', {
        detail: `"${wanted}" cannot be the id of a project. Import it under another one, with the parameter id.`,
      });
    }
    const project = { ...checked, name: name ?? checked.name };
    for (let projectId = wanted; ; projectId = `${wanted.slice(0, 57)}-${randomBytes(3).toString('hex')}`) {
      const scope = { workspaceId, projectId };
      if (await stageProject(db, scope, project)) return scope;
      if (onConflict === 'error') {
        throw new AppError('project_exists', {
          detail: `There is a project "${projectId}" already. Import it under another id, or with on_conflict=rename.`,
        });
      }
    }
  }

  /** Stores everything, and makes it a project at the end. */
  async function restore(
    restoration: Restoration,
    checked: CheckedArchive,
    withVectors: boolean,
  ): Promise<number> {
    const { scope } = restoration;
    const vectors = withVectors ? await restoreVectors(restoration) : 0;
    const runs = await restoreFiles(restoration, checked.files);
    await restoreTurns(restoration, checked.summarised);
    await restoreUsage(db, scope, checked.usage);
    await db.transaction(async (tx) => {
      const room = await quotas.room(tx, scope.workspaceId);
      await room.assertKept('projects', 'files', 'bytes');
      await publishProject(tx, scope);
      await embedSummariesFromCache(tx, scope, embeddingModel);
      for (const run of runs) await enqueueIngest(tx, scope, run, null);
      for (const turn of await selectUnremembered(tx, scope)) await enqueueSummary(tx, scope, turn);
    });
    return vectors;
  }

  async function importOpen(
    workspaceId: string,
    archive: Archive,
    options: ImportOptions,
  ): Promise<Imported> {
    const checked = await checkArchive(archive, ofProject);
    await db.transaction(async (tx) => (await quotas.room(tx, workspaceId)).assertRoomFor(sizeOf(checked)));
    const scope = await stage(workspaceId, checked, options);
    const restoration = { db, originals, scope, archive, embeddingModel };
    const vectors = await restore(restoration, checked, options.withVectors).catch(async (error: unknown) => {
      await discardImport(db, scope);
      throw error;
    });
    onJob();
    return { scope, counts: { ...checked.counts, vectors }, ignored: checked.ignored };
  }

  return {
    /**
     * Makes a project of an archive. All of it is read and compared with its manifest before anything is stored, and nothing
     * of the project can be seen until all of it is there; its files are then ingested like any upload.
     *
     * @param path of the archive
     * @throws AppError `archive_invalid`, `archive_too_new`, `archive_too_large`, `too_many_files`, `project_exists`
     */
    async importProject(workspaceId: string, path: string, options: ImportOptions): Promise<Imported> {
      const archive = await openArchive(path, limits);
      try {
        return await importOpen(workspaceId, archive, options);
      } finally {
        archive.close();
      }
    },
  };
}
