import type { File, FileDeletion, FileStatus } from '../contract/file.ts';
import type { List } from '../contract/list.ts';
import { deleteFileRow, selectFiles } from '../db/files.ts';
import { removeJobs } from '../db/jobs.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import { fileNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { requireFile } from './file-lookup.ts';
import { createFileOriginals } from './file-originals.ts';
import { createFilePreview, type FilePreviewDeps } from './file-preview.ts';
import { createFileRuns, type FileRunDeps } from './file-runs.ts';
import { createFileTexts } from './file-texts.ts';
import { createFileUploads, type FileUploadDeps } from './file-uploads.ts';
import { createFileWaits, type FileWaitDeps } from './file-waits.ts';
import { type PageRequest, readPage } from './page.ts';
import { requirePlace } from './places.ts';
import { createUploadRoom } from './upload-room.ts';

export type FileServiceDeps = FileUploadDeps & FileRunDeps & FilePreviewDeps & FileWaitDeps;

/** The use cases of files. */
export function createFileService(deps: FileServiceDeps) {
  const { db, onJobsRemoved } = deps;

  return {
    ...createFileUploads(deps),
    ...createUploadRoom(deps),
    ...createFileRuns(deps),
    ...createFilePreview(deps),
    ...createFileWaits(deps),
    ...createFileOriginals(deps),
    ...createFileTexts(deps),

    /** @throws AppError `project_not_found`, `file_not_found` */
    get: async (scope: Scope, name: string): Promise<File> => (await requireFile(db, scope, name)).file,

    async list(scope: Scope, page: PageRequest, status: FileStatus | null): Promise<List<File>> {
      await requirePlace(db, scope);
      const found = await readPage(
        { of: 'files', scope },
        page,
        (bounds) => selectFiles(db, scope, bounds, status),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(({ file }) => file) };
    },

    /**
     * Removes bytes, versions, parents, leaves, vectors and summary in one transaction, and counts them. Turns that
     * quoted the file keep their text: they are the record of the conversation.
     */
    async remove(scope: Scope, name: string): Promise<FileDeletion> {
      const { file, fileId } = await requireFile(db, scope, name);
      const deletion = await db.transaction(async (tx): Promise<FileDeletion> => {
        await holdProject(tx, scope);
        const counts = await deleteFileRow(tx, scope, fileId);
        if (!counts) throw fileNotFound(scope, name);
        await removeJobs(tx, scope, 'ingest_file', fileId);
        await removeJobs(tx, scope, 'summarise_file', fileId);
        await refreshFileSummaries(tx, scope);
        return {
          object: 'deletion',
          id: file.name,
          deleted: true,
          removed: { files: 1, ...counts, summaries: file.summary === null ? 0 : 1 },
        };
      });
      onJobsRemoved();
      return deletion;
    },
  };
}

export type FileService = ReturnType<typeof createFileService>;
