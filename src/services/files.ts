import { setTimeout as delay } from 'node:timers/promises';
import { type LeafRecord, selectLeaves } from '../db/documents.ts';
import {
  findOriginal,
  markdownLength,
  type OriginalFacts,
  readFidelity,
  readMarkdown,
  readOriginal,
} from '../db/file-versions.ts';
import { deleteFileRow, type FileRecord, type FileStatus, findFile, selectFiles } from '../db/files.ts';
import { removeJobs } from '../db/jobs.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import { AppError, fileNotFound } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text/storable.ts';
import { requireFile } from './file-lookup.ts';
import { createFilePreview, type FilePreviewDeps } from './file-preview.ts';
import { createFileRuns, type FileRunDeps } from './file-runs.ts';
import { createFileUploads, type FileUploadDeps } from './file-uploads.ts';
import { type Page, type PageRequest, readPage } from './page.ts';
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

/** What a file's deletion removed. */
export interface FileRemoval {
  name: string;
  removed: {
    files: 1;
    versions: number;
    parents: number;
    leaves: number;
    vectors: number;
    summaries: number;
  };
}

const isSettled = (file: FileRecord): boolean => file.status === 'completed' || file.status === 'failed';

/** The use cases of files. */
export function createFileService(deps: FileServiceDeps) {
  const { db, onJobsRemoved, stopping } = deps;

  const unavailable = (what: string, file: FileRecord, version: number | undefined): AppError =>
    new AppError('content_not_available', {
      detail: `"${file.name}" has no ${what}${version === undefined ? '' : ` of version ${version}`}: its status is ${file.status}.`,
    });

  return {
    ...createFileUploads(deps),
    ...createFileRuns(deps),
    ...createFilePreview(deps),

    requireFile: (scope: Scope, name: string) => requireFile(db, scope, name),

    /** Waits until the file is completed or failed, at most `waitMs` and until the process stops; gives it as it then is. */
    async settled(scope: Scope, name: string, waitMs: number): Promise<FileRecord> {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const file = await requireFile(db, scope, name);
        if (isSettled(file) || stopping.aborted || Date.now() >= deadline) return file;
        const interval = Math.min(SETTLED_INTERVAL_MS, Math.max(1, deadline - Date.now()));
        await delay(interval, undefined, { signal: stopping }).catch(() => undefined);
      }
    },

    /**
     * The file as it is, and again whenever it has changed, until it is completed or failed; the last thing is null when
     * it was deleted meanwhile. Holds no connection in between.
     */
    async *watch(scope: Scope, name: string, signal: AbortSignal): AsyncGenerator<FileRecord | null> {
      let shown: number | undefined;
      while (!signal.aborted) {
        const file = await requireFile(db, scope, name).catch((error: unknown) => {
          if (error instanceof AppError) return null;
          throw error;
        });
        if (file === null || shown !== file.updatedAt.getTime()) yield file;
        if (file === null || isSettled(file)) return;
        shown = file.updatedAt.getTime();
        await delay(WATCH_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      }
    },

    async list(scope: Scope, page: PageRequest, status: FileStatus | null): Promise<Page<FileRecord>> {
      await requireProject(db, scope);
      return readPage(
        page,
        (bounds) => selectFiles(db, scope, bounds, status),
        (file) => file.seq,
      );
    },

    /** The facts about the bytes of the newest upload, or of one version by number. */
    async original(
      scope: Scope,
      name: string,
      version?: number,
    ): Promise<OriginalFacts & { fileId: string; name: string }> {
      const file = await requireFile(db, scope, name);
      const facts = await findOriginal(db, scope, file.fileId, version ?? file.version);
      if (!facts) throw unavailable('bytes', file, version);
      return { ...facts, fileId: file.fileId, name: file.name };
    },

    /** What stands for the newest bytes of a name; null where there is no such file. */
    async contentTag(scope: Scope, name: string): Promise<{ sha256: string } | null> {
      await requireProject(db, scope);
      return findFile(db, scope, storableText(name).normalize('NFC'));
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
      const file = await requireFile(db, scope, name);
      const wanted = version ?? file.searchableVersion;
      const length = wanted === null ? null : await markdownLength(db, scope, file.fileId, wanted);
      if (length === null || wanted === null) throw unavailable('Markdown', file, version);
      return { length, version: wanted, etag: `${file.fileId}-${wanted}` };
    },

    /** The Markdown of a version. */
    async markdown(scope: Scope, name: string, version: number): Promise<string> {
      const file = await requireFile(db, scope, name);
      const markdown = await readMarkdown(db, scope, file.fileId, version);
      if (markdown === null) throw unavailable('Markdown', file, version);
      return markdown;
    },

    /** What the conversion kept and lost: of the newest version that was converted, or of one by number. */
    async fidelity(scope: Scope, name: string, version?: number) {
      const file = await requireFile(db, scope, name);
      const report = await readFidelity(db, scope, file.fileId, version ?? null);
      if (!report) throw unavailable('fidelity report', file, version);
      return { ...report, name: file.name };
    },

    /** The leaves of the searchable version, in document order. */
    async leaves(scope: Scope, name: string, page: PageRequest): Promise<Page<LeafRecord>> {
      const file = await requireFile(db, scope, name);
      return readPage(
        page,
        (bounds) => selectLeaves(db, scope, file.fileId, bounds),
        (leaf) => String(leaf.leafIndex),
      );
    },

    /**
     * Removes bytes, versions, parents, leaves, vectors and summary in one transaction, and counts them. Turns that
     * quoted the file keep their text: they are the record of the conversation.
     */
    async remove(scope: Scope, name: string): Promise<FileRemoval> {
      const file = await requireFile(db, scope, name);
      const removal = await db.transaction(async (tx): Promise<FileRemoval> => {
        await holdProject(tx, scope);
        const counts = await deleteFileRow(tx, scope, file.fileId);
        if (!counts) throw fileNotFound(scope.projectId, name);
        await removeJobs(tx, scope, 'ingest_file', file.fileId);
        await removeJobs(tx, scope, 'summarise_file', file.fileId);
        await refreshFileSummaries(tx, scope);
        return {
          name: file.name,
          removed: { files: 1, ...counts, summaries: file.summary === null ? 0 : 1 },
        };
      });
      onJobsRemoved();
      return removal;
    },
  };
}

export type FileService = ReturnType<typeof createFileService>;
