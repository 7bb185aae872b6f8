import type { File, FileDeletion, FilesDeletion } from '../contract/file.ts';
import type { List } from '../contract/list.ts';
import type { Queryable } from '../db/database.ts';
import { deleteFileRow, type FileListFilter, type StoredFile, selectFiles } from '../db/files.ts';
import { removeJobs } from '../db/jobs.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import { fileNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { soughtText } from '../text/storable.ts';
import { requireFile, requireFiles } from './file-lookup.ts';
import { createFileOriginals } from './file-originals.ts';
import { createFilePreview, type FilePreviewDeps } from './file-preview.ts';
import { createFileRename, type FileRenameDeps } from './file-rename.ts';
import { createFileRuns, type FileRunDeps } from './file-runs.ts';
import { createFileTexts } from './file-texts.ts';
import { createFileUploads, type FileUploadDeps } from './file-uploads.ts';
import { createFileWaits, type FileWaitDeps } from './file-waits.ts';
import { type PageRequest, readPage } from './page.ts';
import { requirePlace } from './places.ts';
import { createUploadRoom } from './upload-room.ts';

export type FileServiceDeps = FileUploadDeps & FileRunDeps & FilePreviewDeps & FileWaitDeps & FileRenameDeps;

/** Removes one file with all that hangs on it, within a transaction that holds the project. */
async function removeOne(tx: Queryable, scope: Scope, { file, fileId }: StoredFile): Promise<FileDeletion> {
  const counts = await deleteFileRow(tx, scope, fileId);
  if (!counts) throw fileNotFound(scope, file.name);
  await removeJobs(tx, scope, 'ingest_file', fileId);
  await removeJobs(tx, scope, 'summarise_file', fileId);
  await removeJobs(tx, scope, 'write_contexts', fileId);
  return {
    object: 'deletion',
    id: file.name,
    deleted: true,
    removed: { files: 1, ...counts, summaries: file.summary === null ? 0 : 1 },
  };
}

/** The use cases of files. */
export function createFileService(deps: FileServiceDeps) {
  const { db, onJobsRemoved } = deps;

  return {
    ...createFileUploads(deps),
    ...createUploadRoom(deps),
    ...createFileRuns(deps),
    ...createFileRename(deps),
    ...createFilePreview(deps),
    ...createFileWaits(deps),
    ...createFileOriginals(deps),
    ...createFileTexts(deps),

    /** @throws AppError `project_not_found`, `file_not_found` */
    get: async (scope: Scope, name: string): Promise<File> => (await requireFile(db, scope, name)).file,

    /** @throws AppError `project_not_found`, `invalid_cursor` */
    async list(scope: Scope, page: PageRequest, asked: Partial<FileListFilter> = {}): Promise<List<File>> {
      await requirePlace(db, scope);
      const { status = null, text = null } = asked;
      const filter = { status, text: text === null ? null : soughtText(text) };
      const isNarrowed = filter.status !== null || filter.text !== null;
      const found = await readPage(
        { of: 'files', scope, ...(isNarrowed && { within: JSON.stringify(filter) }) },
        page,
        (bounds) => selectFiles(db, scope, bounds, filter),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(({ file }) => file) };
    },

    /**
     * Removes bytes, versions, parents, leaves, vectors and summary in one transaction, and counts them. Turns that
     * quoted the file keep their text: they are the record of the conversation.
     */
    async remove(scope: Scope, name: string): Promise<FileDeletion> {
      const stored = await requireFile(db, scope, name);
      const deletion = await db.transaction(async (tx) => {
        await holdProject(tx, scope);
        const removed = await removeOne(tx, scope, stored);
        await refreshFileSummaries(tx, scope);
        return removed;
      });
      onJobsRemoved();
      return deletion;
    },

    /**
     * Removes several files as `remove` does each, in one transaction: all of them or none.
     *
     * @throws AppError `file_not_found` naming every one that there is not
     */
    async removeAll(scope: Scope, names: readonly string[]): Promise<FilesDeletion> {
      const stored = await requireFiles(db, scope, names);
      // in one order, so that two that delete the same files wait for each other and not both
      const inOrder = stored.toSorted((a, b) => (a.fileId < b.fileId ? -1 : 1));
      const removed = await db.transaction(async (tx) => {
        await holdProject(tx, scope);
        const deletions = new Map<StoredFile, FileDeletion>();
        for (const one of inOrder) deletions.set(one, await removeOne(tx, scope, one));
        await refreshFileSummaries(tx, scope);
        return deletions;
      });
      onJobsRemoved();
      const data = stored.flatMap((one) => removed.get(one) ?? []);
      return { object: 'files_deletion', deleted: true, count: data.length, data };
    },
  };
}

export type FileService = ReturnType<typeof createFileService>;
