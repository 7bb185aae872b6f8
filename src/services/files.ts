import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Queryable } from '../db/database.ts';
import { type LeafRecord, selectLeaves } from '../db/documents.ts';
import { readMarkdown, readOriginal } from '../db/file-versions.ts';
import {
  countFiles,
  deleteFileRow,
  type FileRecord,
  type FileStatus,
  findFile,
  insertVersion,
  requeueFailed,
  selectFiles,
} from '../db/files.ts';
import { holdProject, refreshFileSummaries } from '../db/projects.ts';
import type { Chunking } from '../documents/chunking.ts';
import { detectFormat } from '../documents/convert/detect.ts';
import { AppError } from '../errors.ts';
import { enqueueJob, removeJobs } from '../jobs/queue.ts';
import type { Scope } from '../scope.ts';
import { storableText } from '../text.ts';
import { fileNameFrom } from './file-names.ts';
import { type Page, type PageRequest, readPage } from './page.ts';
import { requireProject } from './projects.ts';

const INGEST_ATTEMPTS = 5;
const WATCH_INTERVAL_MS = 40;

export interface FileServiceDeps {
  db: Database;
  defaultChunking: Chunking;
  maxFilesPerProject: number;
  /** Told that jobs were committed. */
  onJob: () => void;
}

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
export function createFileService({ db, defaultChunking, maxFilesPerProject, onJob }: FileServiceDeps) {
  async function requireFile(scope: Scope, name: string): Promise<FileRecord> {
    await requireProject(db, scope);
    const file = await findFile(db, scope, storableText(name).normalize('NFC'));
    if (!file) {
      throw new AppError('file_not_found', {
        detail: `There is no file "${name}" in this project. GET /projects/${scope.projectId}/files lists those there are.`,
      });
    }
    return file;
  }

  /** A job that waits or runs for an older version of the file is taken back: its work would be thrown away. */
  async function enqueueIngest(
    tx: Queryable,
    scope: Scope,
    file: { fileId: string; version: number; name: string },
  ) {
    await removeJobs(tx, scope, 'ingest_file', file.fileId);
    await enqueueJob(tx, scope, {
      kind: 'ingest_file',
      subject: file.fileId,
      payload: { version: file.version, filename: file.name },
      maxAttempts: INGEST_ATTEMPTS,
    });
  }

  return {
    requireFile,

    /**
     * Stores an upload, its row and its job in one transaction, before anything tries to read it. A name that is there
     * already gets a new version.
     *
     * @throws AppError `invalid_file_name`, `empty_file`, `unsupported_media_type`, `too_many_files`, `project_not_found`
     */
    async upload(scope: Scope, input: { name: string | undefined; bytes: Buffer }): Promise<FileRecord> {
      const name = fileNameFrom(input.name);
      if (input.bytes.length === 0) {
        throw new AppError('empty_file', {
          detail: `"${name}" holds no bytes. Check the file and upload it again.`,
        });
      }
      const { mediaType } = detectFormat(name, input.bytes);
      const sha256 = createHash('sha256').update(input.bytes).digest('hex');
      await db.transaction(async (tx) => {
        if (!(await holdProject(tx, scope))) await requireProject(tx, scope);
        const { fileId, version } = await insertVersion(tx, scope, {
          fileId: `file_${randomUUID().replaceAll('-', '')}`,
          name,
          mediaType,
          bytes: input.bytes,
          sha256,
          chunking: JSON.stringify(defaultChunking),
        });
        if (version === 1 && (await countFiles(tx, scope)) > maxFilesPerProject) {
          throw new AppError('too_many_files', {
            detail: `A project holds up to ${maxFilesPerProject} files. Delete some, or use another project.`,
          });
        }
        await enqueueIngest(tx, scope, { fileId, version, name });
      });
      onJob();
      return requireFile(scope, name);
    },

    /** Waits until the file is completed or failed, at most `waitMs`; gives it as it then is. */
    async settled(scope: Scope, name: string, waitMs: number): Promise<FileRecord> {
      const deadline = Date.now() + waitMs;
      for (;;) {
        const file = await requireFile(scope, name);
        if (isSettled(file) || Date.now() >= deadline) return file;
        await delay(Math.min(WATCH_INTERVAL_MS, Math.max(1, deadline - Date.now())));
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

    /** The bytes of the newest upload, as they came. */
    async original(scope: Scope, name: string) {
      const file = await requireFile(scope, name);
      const original = await readOriginal(db, scope, file.fileId, file.version);
      if (!original) throw new Error('a file without its version');
      return { ...original, name: file.name };
    },

    /** The Markdown of the searchable version, or of one version by number. */
    async markdown(scope: Scope, name: string, version?: number) {
      const file = await requireFile(scope, name);
      const wanted = version ?? file.searchableVersion;
      const markdown = wanted === null ? null : await readMarkdown(db, scope, file.fileId, wanted);
      if (markdown === null || wanted === null) {
        throw new AppError('content_not_available', {
          detail: `"${name}" has no Markdown${version === undefined ? '' : ` of version ${version}`}: its status is ${file.status}.`,
        });
      }
      return { markdown, version: wanted };
    },

    /** The leaves of the searchable version, in document order. */
    async leaves(scope: Scope, name: string, page: PageRequest): Promise<Page<LeafRecord>> {
      const file = await requireFile(scope, name);
      return readPage(
        page,
        (bounds) => selectLeaves(db, scope, file.fileId, bounds),
        (leaf) => String(leaf.leafIndex),
      );
    },

    /**
     * Ingests a failed file again.
     *
     * @throws AppError `file_not_retryable` when it has not failed
     */
    async retry(scope: Scope, name: string): Promise<FileRecord> {
      const file = await requireFile(scope, name);
      await db.transaction(async (tx) => {
        await holdProject(tx, scope);
        if (!(await requeueFailed(tx, scope, file.fileId))) {
          throw new AppError('file_not_retryable', {
            detail: `"${name}" is ${file.status}; only a failed file can be retried.`,
          });
        }
        await enqueueIngest(tx, scope, file);
      });
      onJob();
      return requireFile(scope, name);
    },

    /** Removes bytes, versions, parents, leaves, vectors and summary in one transaction, and counts them. */
    async remove(scope: Scope, name: string): Promise<FileRemoval> {
      const file = await requireFile(scope, name);
      return db.transaction(async (tx) => {
        await holdProject(tx, scope);
        const counts = await deleteFileRow(tx, scope, file.fileId);
        if (!counts) throw new AppError('file_not_found', { detail: `"${name}" has just been deleted.` });
        await removeJobs(tx, scope, 'ingest_file', file.fileId);
        await removeJobs(tx, scope, 'summarise_file', file.fileId);
        await refreshFileSummaries(tx, scope);
        return {
          name: file.name,
          removed: { files: 1, ...counts, summaries: file.summary === null ? 0 : 1 },
        };
      });
    },
  };
}

export type FileService = ReturnType<typeof createFileService>;
