import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const LIMIT = 100_000;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const MARKDOWN = '# Notes\n\nThe budget is 40,000 euros until March.\n';

let forge: TestApp;
let project: string;
let count = 0;
beforeAll(async () => {
  forge = await startTestApp({
    settings: { MAX_UPLOAD_BYTES: String(LIMIT), MAX_FILES_PER_PROJECT: '5' },
  });
});
afterAll(() => forge.close());
beforeEach(async () => {
  project = `refused-${++count}`;
  await forge.call('POST', '/projects', { id: project, name: 'Refused' });
});

const url = (name = '') => `/projects/${project}/files${name && `/${encodeURIComponent(name)}`}`;
const names = async () =>
  (await forge.call('GET', url())).body.data.map((file: { name: string }) => file.name);

describe('an upload that cannot be taken', () => {
  it.each([
    ['a path out of the folder', '../../etc/passwd.md'],
    ['a slash', 'a/b.md'],
    ['a backslash', 'a\\\\b.md'],
    ['a NUL', 'a\u0000b.md'],
    ['300 bytes', `${'x'.repeat(297)}.md`],
    ['a direction override', 'a\u202Egpj.md'],
  ])('is refused for a name with %s', async (_what, name) => {
    const { status, body } = await forge.upload(project, { [name]: MARKDOWN });
    expect(status).toBe(422);
    expect(body.code).toBe('invalid_file_name');
    expect(await names()).toEqual([]);
  });

  it.each([
    ['an empty file', 'empty.md', '', 422, 'empty_file'],
    ['a PNG named .docx', 'picture.docx', PNG, 415, 'unsupported_media_type'],
    ['a kind that is not accepted', 'table.xlsx', 'PK\u0003\u0004', 415, 'unsupported_media_type'],
    ['a body over the limit', 'big.md', 'x'.repeat(LIMIT + 1), 413, 'file_too_large'],
  ])('is refused for %s', async (_what, name, content, status, code) => {
    const answer = await forge.upload(project, { [name]: content });
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
    expect(answer.body.detail.length).toBeGreaterThan(20);
    expect(await names()).toEqual([]);
  });

  it('says so when there is no file part', async () => {
    const { status, body } = await forge.upload(project, {});
    expect(status).toBe(400);
    expect(body.code).toBe('no_file_part');
  });

  it('says so when the body is not multipart, or is broken', async () => {
    expect((await forge.call('POST', url(), { file: 'x' })).body.code).toBe('unsupported_request_type');
    const broken = await forge.app.inject({
      method: 'POST',
      url: url(),
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\ncut off',
    });
    expect(broken.statusCode).toBe(400);
    expect(broken.json().code).toBe('invalid_request');
    expect(await names()).toEqual([]);
  });

  it('is refused when the project is full, but may replace what is there', async () => {
    for (let n = 0; n < 5; n++) await forge.upload(project, { [`${n}.md`]: MARKDOWN });
    expect((await forge.upload(project, { '5.md': MARKDOWN })).body.code).toBe('too_many_files');
    expect((await forge.upload(project, { '4.md': `${MARKDOWN}More.\n` })).status).toBe(201);
    expect(await names()).toHaveLength(5);
  });

  it('is refused for a project that does not exist', async () => {
    expect((await forge.upload('none', { 'a.md': MARKDOWN })).body.code).toBe('project_not_found');
  });
});

describe('a body over the limit, through a socket', () => {
  let port: number;
  beforeAll(async () => {
    await forge.app.listen({ host: '127.0.0.1', port: 0 });
    const address = forge.app.server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });

  /** Sends a head and then pieces for as long as they are taken, up to `most` bytes; gives the answer and what was sent. */
  function send(head: string, opening: string, most: number): Promise<{ answer: string; sent: number }> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      let sent = 0;
      const piece = 'x'.repeat(16_384);
      const chunk = `${piece.length.toString(16)}\r\n${piece}\r\n`;
      const more = () => {
        while (sent < most && !socket.destroyed && answer === '') {
          sent += piece.length;
          if (!socket.write(chunk)) {
            socket.once('drain', more);
            return;
          }
        }
        if (answer === '') socket.write('0\r\n\r\n');
      };
      socket.on('data', (data) => {
        answer += data.toString();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve({ answer, sent }));
      socket.write(head);
      socket.write(`${opening.length.toString(16)}\r\n${opening}\r\n`, more);
    });
  }

  it('is refused while it streams when its length is not known, and nothing is stored', async () => {
    const most = 200 * LIMIT;
    const { answer, sent } = await send(
      `POST ${url()} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\n\r\n',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="big.md"\r\n\r\n',
      most,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('file_too_large');
    expect(sent).toBeLessThan(most);
    expect(await names()).toEqual([]);
  });

  it('is refused in the same way as the content of a file', async () => {
    const most = 200 * LIMIT;
    const { answer, sent } = await send(
      `PUT ${url('big.md')}/content HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`,
      'x',
      most,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(most);
    expect(await names()).toEqual([]);
  });

  it('is refused before it is read when its length says so', async () => {
    const { answer, sent } = await send(
      `PUT ${url('big.md')}/content HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${LIMIT + 1}\r\n\r\n`,
      '',
      0,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBe(0);
  });
});
