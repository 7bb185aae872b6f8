import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ConversionError } from '../../../../../src/documents/formats/converted.ts';
import { storeZip } from '../../../../../src/documents/formats/docx/package/write-package.ts';
import { openZip } from '../../../../../src/documents/formats/docx/package/zip-guard.ts';

const LIMITS = { entries: 5, totalBytes: 10_000, partBytes: 1_000, readBytes: 1_500 };

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof ConversionError ? error.code : `no ConversionError: ${String(error)}`;
}

/** A one-entry archive whose headers claim other sizes, flags or names than its content has. */
function forged(content: Buffer, claim: { size?: number; flags?: number; name?: string }): Buffer {
  const packed = deflateRawSync(content);
  const name = Buffer.from(claim.name ?? 'word/document.xml');
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(claim.flags ?? 0, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(claim.size ?? content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const directory = Buffer.concat([
    Buffer.from('PK\x01\x02'),
    Buffer.from([20, 0]),
    fields,
    Buffer.alloc(14),
    name,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, packed, directory, end]);
}

describe('openZip', () => {
  it('gives the inflated bytes of a part, and undefined for one that is not there', async () => {
    const zip = await openZip(forged(Buffer.from('<xml/>'), {}), LIMITS);
    expect([...zip.names]).toEqual(['word/document.xml']);
    expect(String(await zip.read('word/document.xml'))).toBe('<xml/>');
    expect(await zip.read('nothing')).toBeUndefined();
  });

  it('counts what is inflated, not what the headers claim', async () => {
    const zip = await openZip(forged(Buffer.alloc(1_000_000, 'a'), { size: 10 }), LIMITS);
    expect(await codeOf(zip.read('word/document.xml'))).toBe('zip_bomb');
  });

  it('bounds all parts together', async () => {
    const zip = await openZip(storeZip({ 'a.xml': 'a'.repeat(900), 'b.xml': 'b'.repeat(900) }), LIMITS);
    await zip.read('a.xml');
    expect(await codeOf(zip.read('b.xml'))).toBe('zip_bomb');
  });

  it.each([
    ['a part that claims too much', forged(Buffer.from('x'), { size: 2_000 })],
    ['an archive that claims too much', forged(Buffer.from('x'), { size: 20_000, name: 'media/image.png' })],
    [
      'too many entries',
      storeZip(Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}`, '']))),
    ],
  ])('refuses %s before inflating anything', async (_, bytes) => {
    expect(await codeOf(openZip(bytes, LIMITS))).toBe('zip_bomb');
  });

  it('refuses encrypted entries', async () => {
    expect(await codeOf(openZip(forged(Buffer.from('x'), { flags: 1 }), LIMITS))).toBe('encrypted_file');
  });

  it('reports damaged data', async () => {
    const bytes = forged(Buffer.from('some text that is long enough'), {});
    bytes.fill(0xff, 47, 60);
    const zip = await openZip(bytes, LIMITS);
    expect(await codeOf(zip.read('word/document.xml'))).toBe('corrupt_file');
  });

  it('makes odd names harmless', async () => {
    const names = async (name: string) => [
      ...(await openZip(forged(Buffer.from('x'), { name }), LIMITS)).names,
    ];
    expect(await names('/word/document.xml')).toEqual(['word/document.xml']);
    expect(await names('word\\document.xml')).toEqual(['word/document.xml']);
    expect(await names('../../etc/passwd')).toEqual([]);
    expect(await names('word/')).toEqual([]);
  });
});
