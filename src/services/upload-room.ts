import type { Chunking } from '../contract/chunking.ts';
import type { Database, Queryable } from '../db/database.ts';
import { lockCurrentVersion } from '../db/files.ts';
import { deleteRoom, type HeldRoom, type RoomTaken } from '../db/upload-room.ts';
import { AppError } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { detectUpload } from './detect-upload.ts';
import { fileNameFrom } from './file-names.ts';
import { isSame, type Upload, type UploadOptions } from './file-uploads.ts';
import type { QuotaService } from './limits/quotas.ts';

export type { HeldRoom } from '../db/upload-room.ts';

/** An upload of several, without its bytes. */
export interface PlannedUpload extends Omit<Upload, 'bytes'> {
  name: string;
  byteLength: number;
  options: UploadOptions;
}

/** The files have come by then: to store them takes seconds. What an instance held that has gone away is free after it. */
const HELD_SECONDS = 600;

export interface UploadRoomDeps {
  db: Database;
  quotas: QuotaService;
  defaultChunking: Chunking;
}

/** What uploads will take, as long as nobody else stores any of their files; the files are held as they are. */
async function takenBy(
  tx: Queryable,
  scope: Scope,
  planned: readonly PlannedUpload[],
  defaultChunking: Chunking,
): Promise<RoomTaken> {
  // two transactions that hold several files take them in one order
  const inOrder = planned.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  const taken = { files: 0, bytes: 0 };
  /** The digest that the file of a name has by then. */
  const after = new Map<string, string>();
  for (const upload of inOrder) {
    const { name, byteLength, sha256, options } = upload;
    const earlier = after.get(name);
    const current = earlier === undefined ? await lockCurrentVersion(tx, scope, name) : null;
    const isThere = earlier !== undefined || current !== null;
    if (isThere && options.onDuplicate !== 'replace') continue;
    const chunking = options.chunking ?? defaultChunking;
    if (earlier === sha256 || (current && isSame(current, upload, chunking, options.minFidelity))) continue;
    after.set(name, sha256);
    taken.files += isThere ? 0 : 1;
    taken.bytes += byteLength;
  }
  return taken;
}

/** The use cases of several uploads at once: there is room for all of them, or none is stored. */
export interface UploadRoom {
  /** What is to be compared of an upload; null when it will be refused by itself, and takes no room. */
  planUpload(upload: Upload, options: UploadOptions): PlannedUpload | null;
  /**
   * Holds room for all of these uploads, so that none of them is refused for what others store meanwhile. Each takes its
   * part as it is stored.
   *
   * @returns null where nothing limits them
   * @throws AppError `quota_exceeded`
   */
  holdRoomForAll(scope: Scope, planned: readonly PlannedUpload[]): Promise<HeldRoom | null>;
  /** Gives back what is left of it, when all have been stored or refused. */
  releaseRoom(room: HeldRoom): Promise<void>;
}

export function createUploadRoom({ db, quotas, defaultChunking }: UploadRoomDeps): UploadRoom {
  return {
    planUpload({ name: given, bytes, sha256 }, options) {
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

    holdRoomForAll: (scope, planned) =>
      db.transaction(async (tx) => {
        const room = await quotas.room(tx, scope.workspaceId);
        return room.hold(await takenBy(tx, scope, planned, defaultChunking), HELD_SECONDS);
      }),

    releaseRoom: (room) => deleteRoom(db, room),
  };
}
