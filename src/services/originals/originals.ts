import type { KeyObject } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import { readStored } from '../../db/file-versions.ts';
import { AppError } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { type ByteRange, type OriginalPlace, open, SALT_BYTES, seal, sealedRange } from './sealing.ts';

/** The keys of the settings; `active` is the one to write with, null: what is written is not encrypted. */
export interface KeyRing {
  active: string | null;
  keys: ReadonlyMap<string, KeyObject>;
}

/** Bytes that one statement gives: on their way out of the database they take several times their length. */
const PIECE_BYTES = 1024 * 1024;

type FileVersion = Pick<OriginalPlace, 'fileId' | 'version'>;

/** What was uploaded, as bytes, whichever way they are stored. */
export function createOriginals({ active, keys }: KeyRing) {
  /** @throws AppError `encryption_key_missing` */
  function keyOf(id: string): KeyObject {
    const key = keys.get(id);
    if (key) return key;
    throw new AppError('encryption_key_missing', {
      detail: `The original is encrypted with the key "${id}", which ENCRYPTION_KEYS does not have. Its text stays searchable.`,
    });
  }

  /**
   * Some of the bytes of a version as they were uploaded; null when the version is gone.
   *
   * @throws AppError `encryption_key_missing`
   */
  async function read(
    db: Queryable,
    scope: Scope,
    file: FileVersion,
    range: ByteRange,
  ): Promise<Buffer | null> {
    const stored = await readStored(db, scope, file, {
      plain: range,
      sealed: sealedRange(range),
      saltBytes: SALT_BYTES,
    });
    if (!stored || stored.keyId === null) return stored?.bytes ?? null;
    return open(keyOf(stored.keyId), { ...scope, ...file }, stored, range);
  }

  return {
    active,
    known: [...keys.keys()],

    /** What is to be stored for the bytes of a version, and the key that opens it. */
    sealed(place: OriginalPlace, bytes: Buffer): { bytes: Buffer; keyId: string | null } {
      const key = active === null ? undefined : keys.get(active);
      return key ? { bytes: seal(key, place, bytes), keyId: active } : { bytes, keyId: null };
    },

    /** @throws AppError `encryption_key_missing` when what is encrypted with this key could not be read */
    assertReadable(keyId: string | null): void {
      if (keyId !== null) keyOf(keyId);
    },

    read,

    /** All of the bytes of a version; null when it is gone. */
    async readWhole(
      db: Queryable,
      scope: Scope,
      file: FileVersion,
      byteLength: number,
    ): Promise<Buffer | null> {
      const bytes = Buffer.allocUnsafeSlow(byteLength);
      for (let offset = 0; offset < byteLength; offset += PIECE_BYTES) {
        const piece = await read(db, scope, file, { offset, length: PIECE_BYTES });
        if (!piece) return null;
        piece.copy(bytes, offset);
      }
      return bytes;
    },
  };
}

export type Originals = ReturnType<typeof createOriginals>;
