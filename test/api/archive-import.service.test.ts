import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { rebuilt, sendArchive, unzip } from '../helpers/archive.ts';
import { gatedEmbeddingModel } from '../helpers/gated-embedding.ts';
import { idle } from '../helpers/idle.ts';

let forge: TestApp;
let archive: Buffer;

beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'a.md': '# A\n\nThe CFO signs the budget.' });
  await forge.call('POST', '/projects/p/turns', { message: 'Who signs?' });
  await idle(forge);
  archive = (await forge.call('GET', '/projects/p/export')).bytes;
});
afterAll(() => forge.close());

const send = (payload: Buffer | string, options: Parameters<typeof sendArchive>[2] = {}) =>
  sendArchive(forge, payload, options);

describe('a request that is not one', () => {
  it('is refused by its type, its form and its options', async () => {
    const codes = async (...args: Parameters<typeof send>) => {
      const { status, body } = await send(...args);
      return [status, body.code];
    };
    expect(await codes('{}', { type: 'application/json' })).toEqual([415, 'unsupported_request_type']);
    expect(await codes(archive, { type: 'image/png' })).toEqual([415, 'unsupported_request_type']);
    expect(await codes(archive, { query: '?id=No%20Slug' })).toEqual([400, 'invalid_request']);
    expect(await codes(archive, { query: '?on_conflict=replace' })).toEqual([400, 'invalid_request']);
    expect(await codes(archive, { query: '' })).toEqual([409, 'project_exists']);
    const empty = '--b\r\nContent-Disposition: form-data; name="id"\r\n\r\nx\r\n--b--\r\n';
    expect(await codes(empty, { type: 'multipart/form-data; boundary=b' })).toEqual([400, 'no_file_part']);
  });

  it('leaves nothing behind when it breaks off in the middle', async () => {
    const { query } = forge.serviceDb;
    // the last thing that is stored
    forge.serviceDb.query = (async (sql: string, params: unknown[]) => {
      if (sql.includes('insert into turn_summaries')) throw new Error('the disk is full');
      return query(sql, params);
    }) as typeof query;
    const { status } = await send(archive, { query: '?id=copy' }).finally(() => {
      forge.serviceDb.query = query;
    });
    expect(status).toBe(500);
    const { rows } = await forge.db.query("select 1 from projects where project_id = 'copy'");
    expect(rows).toEqual([]);
    expect((await send(archive, { query: '?id=copy' })).status).toBe(201);
  });
});

describe('an import under a key, in a form, or again', () => {
  const form = (fields: Record<string, string>) =>
    Buffer.concat([
      ...Object.entries(fields).map(([name, value]) =>
        Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
      ),
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="p.zip"\r\n\r\n'),
      archive,
      Buffer.from('\r\n--b--\r\n'),
    ]);

  it('takes a form, whose fields win', async () => {
    const type = 'multipart/form-data; boundary=b';
    const { status, body } = await send(form({ id: 'from-form', name: 'Of a form' }), { type });
    expect([status, body.project.id, body.project.name]).toEqual([201, 'from-form', 'Of a form']);
    const bad = await send(form({ id: '!' }), { type });
    expect([bad.status, bad.body.code]).toEqual([400, 'invalid_request']);
  });

  it('gives another id where the archive’s is taken, and says what it passed over', async () => {
    const more = await rebuilt(archive, { 'notes/of-tomorrow.json': '{}' });
    const { status, body } = await send(more, { query: '?on_conflict=rename' });
    expect(status).toBe(201);
    expect(body.project.id).toMatch(/^p-[0-9a-f]{6}$/);
    expect(body.ignored).toEqual(['notes/of-tomorrow.json']);
  });

  it('lives with probes that this version does not know', async () => {
    const state = (await unzip(archive)).get('state.json')?.toString() ?? '';
    const routing = '"active_probe": "of-tomorrow", "probes_fired": ["of-tomorrow"]';
    const foreign = state.replace(/"active_probe": [^,]*,\s*"probes_fired": \[[^\]]*\]/, routing);
    expect(foreign).toContain('of-tomorrow');
    const { status } = await send(await rebuilt(archive, { 'state.json': foreign }), { query: '?id=probes' });
    expect(status).toBe(201);
    const turn = await forge.call('POST', '/projects/probes/turns', { message: 'And who else decides?' });
    expect([turn.status, turn.body.status]).toEqual([201, 'completed']);
  });

  it('leaves the vectors alone when they are not trusted', async () => {
    const { body } = await send(archive, { query: '?id=untrusted&vectors=false' });
    expect([body.imported.vectors, body.pending_files]).toEqual([0, 0]);
  });

  it('is done once under an idempotency key', async () => {
    const options = { query: '?on_conflict=rename', more: { 'idempotency-key': 'import-1' } };
    const first = await send(archive, options);
    const again = await send(archive, options);
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    const other = await send(await rebuilt(archive, { more: 'x' }), options);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('a file of several versions', () => {
  it('is searchable as it was, and its newer version is tried again after that', async () => {
    await forge.call('POST', '/projects', { id: 'versions', name: 'Versions' });
    await forge.upload('versions', { 'a.md': '# A\n\nThe CFO signs the budget.' });
    const failed = await forge.upload('versions', { 'a.md': '\u0000\u0001\u0002'.repeat(500) });
    expect(failed.body).toMatchObject({ version: 2, status: 'failed', searchable_version: 1 });
    const before = (await forge.call('GET', '/projects/versions/state')).body;
    const { bytes } = await forge.call('GET', '/projects/versions/export');
    expect((await send(bytes, { query: '?id=versions-copy' })).status).toBe(201);
    await idle(forge);
    const file = (await forge.call('GET', '/projects/versions-copy/files/a.md')).body;
    expect(file).toMatchObject({
      version: 2,
      status: 'failed',
      searchable_version: 1,
      last_error: failed.body.last_error,
    });
    // derived from the files, it has the time of the newer upload now
    const [summary] = before.file_summaries;
    expect((await forge.call('GET', '/projects/versions-copy/state')).body).toEqual({
      ...before,
      file_summaries: [{ ...summary, uploaded_at: file.uploaded_at }],
    });
    const third = await forge.upload('versions-copy', { 'a.md': '# A\n\nNobody signs.' });
    expect(third.body).toMatchObject({ version: 3, status: 'completed' });
  });
});

describe('a service with another embedding model', () => {
  it('embeds everything again, and has the same turns', async () => {
    const embeddingModel = fakeEmbeddingModel({ id: 'another', dimensions: 256 });
    const other = await startTestApp({ overrides: { embeddingModel } });
    try {
      const { status, body } = await sendArchive(other, archive);
      expect([status, body.imported.vectors]).toEqual([201, 0]);
      await idle(other);
      const found = await other.call('POST', '/projects/p/search', {
        query: 'Who signs the budget?',
        kinds: ['documents', 'turns'],
        min_score: 0,
      });
      expect(found.body.embedding_model).toBe('another');
      expect(found.body.data.map((hit: { kind: string }) => hit.kind)).toEqual(['document', 'turn']);
    } finally {
      await other.close();
    }
  });
});

it('answers before the files are searchable when it is asked to', async () => {
  const embeddingModel = gatedEmbeddingModel();
  const other = await startTestApp({ overrides: { embeddingModel } });
  try {
    const arrived = embeddingModel.shut();
    const { status, headers, body } = await sendArchive(other, archive, {
      query: '?vectors=false',
      more: { prefer: 'respond-async' },
    });
    expect([status, headers.location, headers['preference-applied']]).toEqual([
      202,
      '/projects/p',
      'respond-async',
    ]);
    expect(body).toMatchObject({ imported: { vectors: 0 }, pending_files: 1 });
    await arrived;
    // the state goes on to name what is not searchable yet
    const state = (await other.call('GET', '/projects/p/state')).body;
    expect(state).toEqual((await forge.call('GET', '/projects/p/state')).body);
    const again = await other.call('GET', '/projects/p/export?vectors=false');
    embeddingModel.open();
    await idle(other);
    expect((await other.call('GET', '/projects/p/files/a.md')).body.status).toBe('completed');
    // and so does an archive of it
    expect((await unzip(again.bytes)).get('state.json')).toEqual((await unzip(archive)).get('state.json'));
  } finally {
    embeddingModel.open();
    await other.close();
  }
});
