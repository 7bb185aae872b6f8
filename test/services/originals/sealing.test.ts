import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type ByteRange,
  open,
  SALT_BYTES,
  seal,
  sealedRange,
} from '../../../src/services/originals/sealing.ts';

const key = createSecretKey(randomBytes(32));
const place = { workspaceId: 'default', projectId: 'p', fileId: 'f', version: 1 };
const SEGMENT = 64 * 1024;

function openRange(sealed: Buffer, byteLength: number, range: ByteRange, where = place, with_ = key): Buffer {
  const { offset, length } = sealedRange(range);
  const bytes = sealed.subarray(offset, offset + length);
  return open(with_, where, { salt: sealed.subarray(0, SALT_BYTES), bytes, byteLength }, range);
}

it.each([0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, 3 * SEGMENT, 200_001])(
  'gives every range of %i bytes back',
  (length) => {
    const bytes = randomBytes(length);
    const sealed = seal(key, place, bytes);
    // a byte or two stand in any other bytes by chance
    if (length >= 32) expect(sealed.includes(bytes.subarray(0, 32))).toBe(false);
    const offsets = [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 5, length - 1].filter(
      (at) => at >= 0 && at <= length,
    );
    for (const offset of offsets) {
      for (const size of [1, 100, SEGMENT, length + 10]) {
        const found = openRange(sealed, length, { offset, length: size });
        expect(found.equals(bytes.subarray(offset, offset + size))).toBe(true);
      }
    }
  },
);

it('is never the same twice', () => {
  const bytes = randomBytes(100);
  expect(seal(key, place, bytes).equals(seal(key, place, bytes))).toBe(false);
});

it('opens nothing that was changed, moved, cut off, put elsewhere, or sealed with another key', () => {
  const bytes = randomBytes(3 * SEGMENT);
  const sealed = seal(key, place, bytes);
  const whole = { offset: 0, length: bytes.length };
  expect(openRange(sealed, bytes.length, whole).equals(bytes)).toBe(true);
  for (const at of [0, SALT_BYTES, sealed.length >> 1, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => openRange(changed, bytes.length, whole)).toThrow();
  }
  const size = SEGMENT + 16;
  const [salt, ...segments] = [0, 1, 2, 3].map((at) =>
    at === 0
      ? sealed.subarray(0, SALT_BYTES)
      : sealed.subarray(SALT_BYTES + (at - 1) * size, SALT_BYTES + at * size),
  );
  const swapped = Buffer.concat(
    [salt, segments[1], segments[0], segments[2]].map((piece) => piece ?? Buffer.alloc(0)),
  );
  expect(() => openRange(swapped, bytes.length, whole)).toThrow();
  const cut = sealed.subarray(0, SALT_BYTES + 2 * size);
  expect(() => openRange(cut, 2 * SEGMENT, { offset: 0, length: 2 * SEGMENT })).toThrow();
  for (const other of [{ fileId: 'g' }, { version: 2 }, { projectId: 'q' }, { workspaceId: 'other' }]) {
    expect(() => openRange(sealed, bytes.length, whole, { ...place, ...other })).toThrow();
  }
  expect(() => openRange(sealed, bytes.length, whole, place, createSecretKey(randomBytes(32)))).toThrow();
});
