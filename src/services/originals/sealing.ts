import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Scope } from '../../scope.ts';

/*
 * How an original is encrypted: in segments, so that a part of it can be read without the rest, each with AES-256-GCM under a
 * key of the original's own (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). That key is made from
 * the configured one, a random salt and the place of the original, so bytes that are moved to another place do not open; the
 * nonce is the segment's number and whether it is the last, so none can be left out, doubled, or put elsewhere.
 *
 *   salt | segment | segment | ...   each segment: ciphertext | tag
 */

const ALGORITHM = 'aes-256-gcm';
export const SALT_BYTES = 16;
const SEGMENT_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const SEALED_BYTES = SEGMENT_BYTES + TAG_BYTES;

/** Which original. */
export interface OriginalPlace extends Scope {
  fileId: string;
  version: number;
}

/** Some bytes of many: from `offset`, `length` of them at most. */
export interface ByteRange {
  offset: number;
  length: number;
}

function keyOf(key: KeyObject, salt: Buffer, place: OriginalPlace): Buffer {
  const { workspaceId, projectId, fileId, version } = place;
  const info = JSON.stringify(['forge original', workspaceId, projectId, fileId, version]);
  return Buffer.from(hkdfSync('sha256', key, salt, info, 32));
}

function nonceOf(segment: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(segment, 7);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

const segmentsOf = (byteLength: number): number => Math.max(1, Math.ceil(byteLength / SEGMENT_BYTES));

/** The bytes of an original, encrypted for its place. */
export function seal(key: KeyObject, place: OriginalPlace, bytes: Buffer): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const own = keyOf(key, salt, place);
  const count = segmentsOf(bytes.length);
  const sealed: Buffer[] = [salt];
  for (let segment = 0; segment < count; segment += 1) {
    const cipher = createCipheriv(ALGORITHM, own, nonceOf(segment, segment === count - 1));
    const start = segment * SEGMENT_BYTES;
    sealed.push(
      cipher.update(bytes.subarray(start, start + SEGMENT_BYTES)),
      cipher.final(),
      cipher.getAuthTag(),
    );
  }
  return Buffer.concat(sealed);
}

/** Which of the encrypted bytes hold a range of the original's: whole segments. */
export function sealedRange({ offset, length }: ByteRange): ByteRange {
  const first = Math.floor(offset / SEGMENT_BYTES);
  const end = Math.ceil((offset + length) / SEGMENT_BYTES);
  return { offset: SALT_BYTES + first * SEALED_BYTES, length: (end - first) * SEALED_BYTES };
}

/**
 * A range of an original from the encrypted bytes of its `sealedRange`.
 *
 * @param sealed.byteLength of the whole original
 * @throws Error when they are not what was encrypted for this place
 */
export function open(
  key: KeyObject,
  place: OriginalPlace,
  sealed: { salt: Buffer; bytes: Buffer; byteLength: number },
  { offset, length }: ByteRange,
): Buffer {
  const own = keyOf(key, sealed.salt, place);
  const first = Math.floor(offset / SEGMENT_BYTES);
  const last = segmentsOf(sealed.byteLength) - 1;
  const pieces: Buffer[] = [];
  for (let at = 0; at < sealed.bytes.length; at += SEALED_BYTES) {
    const segment = first + at / SEALED_BYTES;
    const bytes = sealed.bytes.subarray(at, at + SEALED_BYTES);
    const decipher = createDecipheriv(ALGORITHM, own, nonceOf(segment, segment === last));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    pieces.push(decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final());
  }
  const start = offset - first * SEGMENT_BYTES;
  return Buffer.concat(pieces).subarray(start, start + length);
}
