import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Chunking, chunkingSchema } from '../contract/chunking.ts';
import type { UploadResult } from '../contract/upload.ts';
import type { Database, Queryable } from '../db/database.ts';
import { type EditPace, scheduleRebuild } from '../db/file-runs.ts';
import {
  type CurrentVersion,
  countFiles,
  findFileById,
  insertVersion,
  lockCurrentVersion,
  type NewVersion,
  type StoredFile,
} from '../db/files.ts';
import { setContextual } from '../db/leaf-contexts.ts';
import type { HeldRoom } from '../db/upload-room.ts';
import { acceptedExtensions } from '../documents/formats/registry.ts';
import { AppError, emptyFile, fileNotFound } from '../errors.ts';
import { type Scope, sourceOf } from '../scope.ts';
import type { ContextService } from './contexts/contexts.ts';
import { assertWritable, type ContextTerms } from './contexts/switch.ts';
import { detectUpload } from './detect-upload.ts';
import { fileNameFrom } from './file-names.ts';
import { enqueueIngest } from './file-runs.ts';
import type { QuotaService } from './limits/quotas.ts';
import type { Originals } from './originals/originals.ts';
import { holdPlace, requirePlace } from './places.ts';

/** What may be uploaded, as a phrase: `.docx, .md, ... or .json`. */
export const ACCEPTED_EXTENSIONS = acceptedExtensions();

/** What to do with a name that is there already: a new version, nothing, or refuse it. */
export const ON_DUPLICATE = ['replace', 'skip', 'error'] as const;

/** How an upload is to be taken. */
export interface UploadOptions {
  onDuplicate: (typeof ON_DUPLICATE)[number];
  /** Null: as the service is set. */
  chunking: Chunking | null;
  /** The fidelity under which it is to fail, 0 to 1; null: whatever arrives is taken. */
  minFidelity: number | null;
  /** Whether a model writes a context for each leaf; null: as the file, its project or the service has it. */
  contextual: boolean | null;
  /** One of a row of edits, as an editor saves them: a rebuild waits for the next. */
  isEdit?: boolean;
  /** It is one of several, for which room is held. */
  room?: HeldRoom | null;
}

/** An upload, read to its end. */
export interface Upload {
  name: string | undefined;
  bytes: Buffer;
  /** sha-256 of the bytes, hex. */
  sha256: string;
}

/** The file that an upload went to, and what became of it. */
export interface UploadedFile {
  stored: StoredFile;
  result: UploadResult;
}

/** Looks at what is there before it is replaced, and throws to refuse. */
export type UploadCondition = (current: { sha256: string } | null) => void;

export interface FileUploadDeps {
  db: Database;
  originals: Originals;
  defaultChunking: Chunking;
  contexts: Pick<ContextService, 'follow'>;
  contextTerms: ContextTerms;
  maxFilesPerProject: number;
  quotas: QuotaService;
  editPace: EditPace;
  /** Told that jobs were committed, and in how many milliseconds they are due. */
  onJob: (inMs?: number) => void;
}

/** A file of the name was made while this transaction looked for one. */
class Raced extends Error {}

/**
 * Whether an upload would bring nothing: the newest version has these bytes, is or will be cut in this way, and did not
 * fail.
 */
export function isSame(
  current: CurrentVersion,
  upload: Pick<Upload, 'sha256'>,
  chunking: Chunking,
  minFidelity: number | null,
): boolean {
  if (current.status === 'failed' || current.sha256 !== upload.sha256) return false;
  if (!isDeepStrictEqual(chunkingSchema.safeParse(current.chunking).data, chunking)) return false;
  // not judged yet, or too low: the upload has to go its own way
  return minFidelity === null || (current.fidelityScore !== null && current.fidelityScore >= minFidelity);
}

const tooManyFiles = (scope: Scope, most: number): AppError =>
  new AppError('too_many_files', {
    detail:
      sourceOf(scope) === 'library'
        ? `The library holds up to ${most} files. Delete some.`
        : `A project holds up to ${most} files. Delete some, or use another project.`,
  });

/** An upload as it is stored, under an id of its own should its name be a new one. */
const newVersion = (
  originals: Originals,
  upload: Upload & { name: string; mediaType: string },
  { chunking, minFidelity, contextual }: UploadOptions & { chunking: Chunking },
  current: CurrentVersion | null,
): NewVersion => ({
  fileId: `file_${randomUUID().replaceAll('-', '')}`,
  name: upload.name,
  mediaType: upload.mediaType,
  byteLength: upload.bytes.length,
  stored: (place) => originals.sealed(place, upload.bytes),
  sha256: upload.sha256,
  chunking: JSON.stringify(chunking),
  minFidelity,
  contextual,
  newestVersion: current?.newestVersion ?? 0,
});

/** The same bytes may come with another word on contexts: then these alone are written. */
async function switchContexts(
  contexts: Pick<ContextService, 'follow'>,
  tx: Queryable,
  scope: Scope,
  { fileId, contextual }: { fileId: string; contextual: boolean | null },
): Promise<void> {
  if (contextual === null || !(await setContextual(tx, scope, fileId, contextual))) return;
  if (contextual) await contexts.follow(tx, scope, fileId);
}

/** The use case of an upload. */
export function createFileUploads(deps: FileUploadDeps) {
  const { db, originals, defaultChunking, maxFilesPerProject, quotas, editPace, onJob } = deps;
  const { contexts, contextTerms } = deps;
  async function store(
    tx: Queryable,
    scope: Scope,
    upload: Upload & { name: string; mediaType: string },
    options: UploadOptions,
    condition: UploadCondition,
  ): Promise<{ fileId: string; result: UploadResult; waitMs: number }> {
    const room = await quotas.room(tx, scope.workspaceId);
    await holdPlace(tx, scope);
    const chunking = options.chunking ?? defaultChunking;
    const current = await lockCurrentVersion(tx, scope, upload.name);
    condition(current);
    if (current && options.onDuplicate === 'error') {
      throw new AppError('file_exists', {
        detail: `There is a file "${upload.name}" already. Choose another name, or upload with on_duplicate=replace.`,
      });
    }
    if (current && options.onDuplicate === 'skip') {
      return { fileId: current.fileId, result: 'skipped', waitMs: 0 };
    }
    if (current && isSame(current, upload, chunking, options.minFidelity)) {
      await switchContexts(contexts, tx, scope, { ...options, fileId: current.fileId });
      return { fileId: current.fileId, result: 'unchanged', waitMs: 0 };
    }
    await room.assertRoomFor({ files: current ? 0 : 1, bytes: upload.bytes.length }, options.room);
    const version = newVersion(originals, upload, { ...options, chunking }, current);
    const stored = await insertVersion(tx, scope, version);
    if (!current && stored.version !== 1) throw new Raced();
    if (!current && (await countFiles(tx, scope)) > maxFilesPerProject) {
      throw tooManyFiles(scope, maxFilesPerProject);
    }
    await room.assertKept('files', 'bytes');
    const rebuild =
      current && options.isEdit ? await scheduleRebuild(tx, scope, stored.fileId, editPace) : null;
    await enqueueIngest(
      tx,
      scope,
      { ...stored, name: upload.name, bytes: upload.bytes.length },
      rebuild?.runAt ?? null,
    );
    const result = current ? 'replaced' : 'created';
    return { fileId: stored.fileId, result, waitMs: rebuild?.waitMs ?? 0 };
  }

  return {
    /**
     * Refuses what has nowhere to go, before anything of it is read.
     *
     * @throws AppError `project_not_found`
     */
    requirePlace: (scope: Scope): Promise<void> => requirePlace(db, scope),

    /**
     * Stores an upload, its row and its job in one transaction, before anything tries to read it. Uploads of one name
     * wait for each other.
     *
     * @throws AppError `invalid_file_name`, `empty_file`, `unsupported_media_type`, `file_exists`, `too_many_files`,
     * `contexts_unavailable`, `project_not_found`, and what the condition throws
     */
    async upload(
      scope: Scope,
      upload: Upload,
      options: UploadOptions,
      condition: UploadCondition = () => undefined,
    ): Promise<UploadedFile> {
      const name = fileNameFrom(upload.name);
      if (upload.bytes.length === 0) throw emptyFile(name);
      assertWritable(contextTerms, options.contextual);
      const { mediaType } = detectUpload(name, upload.bytes);
      for (;;) {
        try {
          const { fileId, result, waitMs } = await db.transaction((tx) =>
            store(tx, scope, { ...upload, name, mediaType }, options, condition),
          );
          if (result !== 'skipped') onJob(waitMs);
          const stored = await findFileById(db, scope, fileId);
          if (!stored) throw fileNotFound(scope, name);
          return { stored, result };
        } catch (error) {
          if (!(error instanceof Raced)) throw error;
        }
      }
    },
  };
}
