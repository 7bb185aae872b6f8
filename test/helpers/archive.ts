import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { type Options, ZipFile } from 'yazl';
import type { Manifest } from '../../src/archive/format.ts';
import type { TestApp } from './app.ts';

/** The entries of a ZIP archive by name, in their order. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return entries;
}

/** A ZIP archive of such entries. */
export function zipOf(entries: Iterable<readonly [string, Buffer | string]>, options: Partial<Options> = {}) {
  const zip = new ZipFile();
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name, options);
  zip.end();
  return buffer(zip.outputStream);
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The manifest of an archive. */
export const manifestOf = (entries: ReadonlyMap<string, Buffer>): Manifest =>
  JSON.parse(entries.get('manifest.json')?.toString() ?? '{}');

/**
 * An archive with entries changed, taken out (null) or added, whose manifest says of them what is true.
 *
 * @param manifest changes its other members
 */
export async function rebuilt(
  archive: Buffer,
  changes: Record<string, string | Buffer | null>,
  manifest: Partial<Record<keyof Manifest, unknown>> = {},
): Promise<Buffer> {
  const entries = await unzip(archive);
  const said = manifestOf(entries);
  entries.delete('manifest.json');
  for (const [name, content] of Object.entries(changes)) {
    if (content === null) entries.delete(name);
    else entries.set(name, Buffer.from(content));
  }
  const listed = [...entries].map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256(bytes) }));
  return zipOf([...entries, ['manifest.json', JSON.stringify({ ...said, entries: listed, ...manifest })]]);
}

/** An import, which waits for the files. */
export async function sendArchive(
  forge: TestApp,
  payload: Buffer | string,
  { query = '', type = 'application/zip', more = {} } = {},
) {
  const response = await forge.app.inject({
    method: 'POST',
    url: `/projects:import${query}`,
    headers: { 'content-type': type, prefer: 'wait=60', ...more },
    payload,
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}
