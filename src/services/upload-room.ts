import type { Chunking } from '../contract/chunking.ts';
import type { Database } from '../db/database.ts';
import { lockCurrentVersion } from '../db/files.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { detectUpload } from './detect-upload.ts';
import { fileNameFrom } from './file-names.ts';
import { isSame, type Upload, type UploadOptions } from './file-uploads.ts';
import type { QuotaService } from './limits/quotas.ts';

/** An upload of several, without its bytes. */
export interface PlannedUpload extends Omit<Upload, 'bytes'> {
  name: string;
  byteLength: number;
  options: UploadOptions;
}

export interface UploadRoomDeps {
  db: Database;
  quotas: QuotaService;
  defaultChunking: Chunking;
}

/** The use case of several uploads at once: there is room for all of them, or none is stored. */
export function createUploadRoom({ db, quotas, defaultChunking }: UploadRoomDeps) {
  return {
    /** What is to be compared of an upload; null when it will be refused by itself, and takes no room. */
    planUpload({ name: given, bytes, sha256 }: Upload, options: UploadOptions): PlannedUpload | null {
      if (bytes.length === 0) return null;
      try {
        const name = fileNameFrom(given);
        detectUpload(name, bytes);
        return { name, byteLength: bytes.length, sha256, options };
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    },

    /**
     * Refuses uploads for which together there is no room. Each is compared again as it is stored: what others store
     * between the two can still leave room for some alone.
     *
     * @throws AppError `quota_exceeded`
     */
    async assertRoomForAll(scope: Scope, planned: readonly PlannedUpload[]): Promise<void> {
      // two transactions that hold several files take them in one order
      const inOrder = planned.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
      await db.transaction(async (tx) => {
        const room = await quotas.room(tx, scope.workspaceId);
        const adding = { files: 0, bytes: 0 };
        /** The digest that the file of a name has by then. */
        const after = new Map<string, string>();
        for (const upload of inOrder) {
          const { name, byteLength, sha256, options } = upload;
          const earlier = after.get(name);
          const current = earlier === undefined ? await lockCurrentVersion(tx, scope, name) : null;
          const isThere = earlier !== undefined || current !== null;
          if (isThere && options.onDuplicate !== 'replace') continue;
          const chunking = options.chunking ?? defaultChunking;
          if (earlier === sha256 || (current && isSame(current, upload, chunking, options.minFidelity)))
            continue;
          after.set(name, sha256);
          adding.files += isThere ? 0 : 1;
          adding.bytes += byteLength;
        }
        await room.assertRoomFor(adding);
      });
    },
  };
}
