import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { unzip } from '../helpers/archive.ts';

// An export over a real socket, to a client that does not read.

const FILES = 40;
const FILE_BYTES = 1024 * 1024;

let forge: TestApp;
let origin: string;
/** Statements for bytes of originals. */
let reads = 0;

beforeAll(async () => {
  forge = await startTestApp();
  const { query } = forge.serviceDb;
  forge.serviceDb.query = ((sql: string, params: unknown[]) => {
    if (sql.includes('substring(bytes')) reads += 1;
    return query(sql, params);
  }) as typeof query;
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  // not searchable and not compressible: nothing but bytes
  await forge.db.query(
    `insert into files (workspace_id, project_id, file_id, name, media_type, status, version)
     select 'default', 'p', 'file_' || n, n || '.pdf', 'application/pdf', 'failed', 1 from generate_series(1, $1) n`,
    [FILES],
  );
  await forge.db.query(
    `insert into file_versions (workspace_id, project_id, file_id, version, media_type, bytes, byte_length, sha256, chunking)
     select 'default', 'p', 'file_' || n, 1, 'application/pdf', decode(repeat('ab', $2), 'hex'), $2::int, repeat('0', 64),
       '{"strategy":"fixed"}'
     from generate_series(1, $1::int) n`,
    [FILES, FILE_BYTES],
  );
  origin = await forge.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => forge.close());

const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(`${origin}/projects/p/export`).once('response', resolve).once('error', reject).end();
  });

/** Until nothing more is read of originals, which is when every buffer on the way is full. */
async function stalled(): Promise<number> {
  let last = -1;
  await vi.waitFor(
    () => {
      const now = reads;
      const isStill = now > 0 && now === last;
      last = now;
      if (!isStill) throw new Error('still reading');
    },
    { timeout: 120_000, interval: 300 },
  );
  return last;
}

describe('a client that does not read', () => {
  it('has no more read for it than what is on its way, and holds no connection', async () => {
    reads = 0;
    const answer = await open();
    answer.pause();
    // the socket's buffers take some megabytes
    expect(await stalled()).toBeLessThan(FILES - 4);
    expect((await forge.call('GET', '/projects/p')).status).toBe(200);
    expect((await forge.call('PATCH', '/projects/p', { name: 'Renamed' })).status).toBe(200);
    const entries = await unzip(await buffer(answer));
    expect([...entries.keys()].filter((name) => name.startsWith('originals/'))).toHaveLength(FILES);
    // of the moment of the request
    expect(JSON.parse(entries.get('project.json')?.toString() ?? '').name).toBe('P');
  });

  it('ends the reading when it goes away', async () => {
    reads = 0;
    const answer = await open();
    answer.pause();
    await stalled();
    answer.destroy();
    expect(await stalled()).toBeLessThan(FILES - 4);
  });

  it('gets no archive when a file is deleted before it was read', async () => {
    reads = 0;
    const answer = await open();
    answer.pause();
    await stalled();
    await forge.call('DELETE', `/projects/p/files/${FILES}.pdf`);
    await expect(buffer(answer)).rejects.toThrow('aborted');
  });
});
