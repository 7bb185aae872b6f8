import { setTimeout as delay } from 'node:timers/promises';
import type { FidelityReport } from '../contract/fidelity.ts';
import type { File, FileDeletion, FileEvent, FileStatus } from '../contract/file.ts';
import type { Leaf } from '../contract/leaf.ts';
import type { List } from '../contract/list.ts';
import { selectLeaves } from '../db/documents.ts';
import {
  findOriginal,
  markdownLength,
  type OriginalFacts,
  readFidelity,
  readMarkdown,
  readOriginal,
} from '../db/file-versions.ts';
import { deleteFileRow, findFile, type StoredFile, selectFiles } from '../db/files.ts';
import { removeJobs } from '../db/jobs.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import { AppError, fileNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { requireFile } from './file-lookup.ts';
import { createFilePreview, type FilePreviewDeps } from './file-preview.ts';
import { createFileRuns, type FileRunDeps } from './file-runs.ts';
import { createFileUploads, type FileUploadDeps } from './file-uploads.ts';
import { type PageRequest, readPage } from './page.ts';
import { requireProject } from './projects.ts';

const SETTLED_INTERVAL_MS = 40;
const WATCH_INTERVAL_MS = 200;
/** What is held of a download at a time. */
const SLICE_BYTES = 1024 * 1024;

export type FileServiceDeps = FileUploadDeps &
  FileRunDeps &
  FilePreviewDeps & {
    /** Aborted when the process stops: nobody need wait for an ingestion that goes on elsewhere. */
    stopping: AbortSignal;
  };

const isSettled = ({ status }: File): boolean => status === 'completed' || status === 'failed';

/** The use cases of files. */
export function createFileService(deps: FileServiceDeps) {
  const { db, onJobsRemoved, stopping } = deps;

  const unavailable = (what: string, { file }: StoredFile, version: number | undefined): AppError =>
    new AppError('content_not_available', {
      detail: `"${file.name}" has no ${what}${version === undefined ? '' : ` of version ${version}`}: its status is ${file.status}.`,
    });

  /** @throws AppError `project_not_found`, `file_not_found` */
  const get = async (scope: Scope, name: string): Promise<File> => (await requireFile(db, scope, name)).file;

  return {
    ...createFileUploads(deps),
    ...createFileRuns(deps),
    ...createFilePreview(deps),

    get,

    /** Waits until the file is completed or failed, at most `waitMs` and until the process stops; gives it as it then is. */
    async settled(scope: Scope, name: string, waitMs: number): Promise<File> {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const file = await get(scope, name);
        if (isSettled(file) || stopping.aborted || Date.now() >= deadline) return file;
        const interval = Math.min(SETTLED_INTERVAL_MS, Math.max(1, deadline - Date.now()));
        await delay(interval, undefined, { signal: stopping }).catch(() => undefined);
      }
    },

    /**
     * The file as it is, and again whenever it has changed, until it is completed or failed; the last thing may be that
     * it was deleted meanwhile. Holds no connection in between.
     */
    async *watch(scope: Scope, name: string, signal: AbortSignal): AsyncGenerator<FileEvent> {
      let shown: File | undefined;
      while (!signal.aborted) {
        const file = await get(scope, name).catch((error: unknown) => {
          if (error instanceof AppError) return null;
          throw error;
        });
        if (file === null) {
          yield { event: 'file.deleted', data: { object: 'file', name: shown?.name ?? name } };
          return;
        }
        const { status } = file;
        if (status === 'completed' || status === 'failed') {
          yield { event: `file.${status}`, data: file };
          return;
        }
        if (shown?.updated_at !== file.updated_at) yield { event: 'file.progress', data: file };
        shown = file;
        await delay(WATCH_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      }
    },

    async list(scope: Scope, page: PageRequest, status: FileStatus | null): Promise<List<File>> {
      await requireProject(db, scope);
      const found = await readPage(
        page,
        (bounds) => selectFiles(db, scope, bounds, status),
        ({ seq }) => seq,
      );
      return { ...found, data: found.data.map(({ file }) => file) };
    },

    /** The facts about the bytes of the newest upload, or of one version by number. */
    async original(
      scope: Scope,
      name: string,
      version?: number,
    ): Promise<OriginalFacts & { fileId: string; name: string }> {
      const stored = await requireFile(db, scope, name);
      const { file, fileId } = stored;
      const facts = await findOriginal(db, scope, fileId, version ?? file.version);
      if (!facts) throw unavailable('bytes', stored, version);
      return { ...facts, fileId, name: file.name };
    },

    /** What stands for the newest bytes of a name; null where there is no such file. */
    async contentTag(scope: Scope, name: string): Promise<{ sha256: string } | null> {
      await requireProject(db, scope);
      const found = await findFile(db, scope, storableText(name).normalize('NFC'));
      return found && { sha256: found.file.sha256 };
    },

    /** The bytes of a version as they came, from `start` to `end` (exclusive), some at a time. */
    async *bytes(
      scope: Scope,
      file: { fileId: string; version: number },
      { start, end }: { start: number; end: number },
    ): AsyncGenerator<Buffer> {
      for (let offset = start; offset < end; offset += SLICE_BYTES) {
        const length = Math.min(SLICE_BYTES, end - offset);
        const slice = await readOriginal(db, scope, file, { offset, length });
        if (!slice) throw new Error('the file was deleted while it was read');
        yield slice;
      }
    },

    /**
     * What is known of the Markdown of the searchable version, or of one version by number, without reading it: its
     * number, its length in bytes, and a tag that changes with it.
     */
    async markdownFacts(scope: Scope, name: string, version?: number) {
      const stored = await requireFile(db, scope, name);
      const wanted = version ?? stored.file.searchable_version;
      const length = wanted === null ? null : await markdownLength(db, scope, stored.fileId, wanted);
      if (length === null || wanted === null) throw unavailable('Markdown', stored, version);
      return { length, version: wanted, etag: `${stored.fileId}-${wanted}` };
    },

    /** The Markdown of a version. */
    async markdown(scope: Scope, name: string, version: number): Promise<string> {
      const stored = await requireFile(db, scope, name);
      const markdown = await readMarkdown(db, scope, stored.fileId, version);
      if (markdown === null) throw unavailable('Markdown', stored, version);
      return markdown;
    },

    /** What the conversion kept and lost: of the newest version that was converted, or of one by number. */
    async fidelity(scope: Scope, name: string, version?: number): Promise<FidelityReport> {
      const stored = await requireFile(db, scope, name);
      const report = await readFidelity(db, scope, stored.fileId, version ?? null);
      if (!report) throw unavailable('fidelity report', stored, version);
      return {
        ...report.fidelity,
        object: 'fidelity_report',
        name: stored.file.name,
        version: report.version,
      };
    },

    /** The leaves of the searchable version, in document order. */
    async leaves(scope: Scope, name: string, page: PageRequest): Promise<List<Leaf>> {
      const { fileId } = await requireFile(db, scope, name);
      return readPage(
        page,
        (bounds) => selectLeaves(db, scope, fileId, bounds),
        (leaf) => String(leaf.leaf_index),
      );
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
        if (!counts) throw fileNotFound(scope.projectId, name);
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
