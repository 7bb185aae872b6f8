import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePdf, onePage } from '../documents/formats/pdf/pdf-file.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const OPENAPI = `openapi: 3.1.0
info:
  title: Billing
paths:
  /invoices:
    get:
      summary: Lists invoices of ticket FIN-2291
`;

const PAGE = `<!doctype html><html><head><title>Crane</title><script>track()</script></head><body>
<nav><a href="/">Home</a></nav>
<main><h2>Safety</h2><p>Keep clear of <b>the load</b>.</p>
<h2>Spares</h2>
<table><tr><th>Part</th><th>Left</th></tr><tr><td>Bolt BLT-0815</td><td>12</td></tr><tr><td>Hook</td><td>2</td></tr></table>
</main></body></html>`;

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'formats', name: 'Formats' });
});
afterAll(() => forge.close());

const search = async (query: string) =>
  (await forge.call('POST', '/projects/formats/search', { query, limit: 1 })).body.data[0] as {
    filename: string;
    page: number | null;
    text: string;
  };

describe('an upload', () => {
  it('of PDF is found with its page', async () => {
    const texts = ['Overview of the year.', 'Procurement delays onboarding KAP-77.'];
    const bytes = makePdf(texts.map((text) => ({ texts: [{ text, y: 600 }] })));
    const { status, body } = await forge.upload('formats', { 'year.pdf': bytes });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      media_type: 'application/pdf',
      status: 'completed',
      fidelity: { score: 1 },
    });
    expect(body.fidelity.counts.pages).toEqual({ source: 2, result: 2 });
    expect((await search('KAP-77')).filename).toBe('year.pdf');
    const { body: leaves } = await forge.call('GET', '/projects/formats/files/year.pdf/leaves');
    expect(leaves.data[0].page).toBe(1);
  });

  it('of HTML becomes Markdown: its rows are found, its headings are the outline', async () => {
    const { status, body } = await forge.upload('formats', { 'spares.html': PAGE });
    expect(status).toBe(201);
    expect(body).toMatchObject({ media_type: 'text/html', status: 'completed', fidelity: { score: 1 } });
    const found = await search('Bolt BLT-0815');
    expect(found.filename).toBe('spares.html');
    expect(found.text).toContain('| Bolt BLT-0815 | 12 |');
    const url = '/projects/formats/files/spares.html';
    const { body: outline } = await forge.call('GET', `${url}/outline`);
    expect(outline.nodes.map((node: { text: string }) => node.text)).toEqual(['Crane', 'Safety', 'Spares']);
    expect((await forge.call('GET', `${url}/markdown`)).text).toBe(
      '# Crane\n\n## Safety\n\nKeep clear of **the load**.\n\n## Spares\n\n' +
        '| Part | Left |\n| --- | --- |\n| Bolt BLT-0815 | 12 |\n| Hook | 2 |\n',
    );
    expect((await forge.call('GET', `${url}/content`)).text).toBe(PAGE);
  });

  it('of YAML and JSON is kept as it is, broken or not', async () => {
    const files = { 'api.yaml': OPENAPI, 'broken.json': '{"ticket": "OPS-4410",\n "open": }' };
    for (const [name, text] of Object.entries(files)) {
      expect((await forge.upload('formats', { [name]: text })).body.status).toBe('completed');
      expect((await forge.call('GET', `/projects/formats/files/${name}/markdown`)).text).toBe(text);
    }
    expect((await search('FIN-2291')).filename).toBe('api.yaml');
    expect((await search('OPS-4410')).filename).toBe('broken.json');
    const { body } = await forge.call('GET', '/projects/formats/files/broken.json');
    expect(body.fidelity.losses).toMatchObject([{ kind: 'syntax_error', count: 1 }]);
  });

  it('of a scan or of a locked PDF fails with what to do, and its bytes stay', async () => {
    const scan = makePdf([{ image: true }]);
    const { body } = await forge.upload('formats', { 'scan.pdf': scan });
    expect(body).toMatchObject({ status: 'failed', last_error: { code: 'no_text_layer', retryable: false } });
    const content = await forge.call('GET', '/projects/formats/files/scan.pdf/content');
    expect(content.bytes.equals(scan)).toBe(true);
  });

  it('is read as what it was recognised as, and fails where nothing reads that any more', async () => {
    await forge.upload('formats', { 'left.pdf': makePdf([{ image: true }]) });
    await forge.db.query(
      `update file_versions v set media_type = 'application/x-retired' from files f
       where f.name = 'left.pdf' and v.project_id = f.project_id and v.file_id = f.file_id`,
    );
    const url = '/projects/formats/files/left.pdf';
    await forge.call('POST', `${url}/retry`);
    await expect
      .poll(async () => (await forge.call('GET', url)).body.last_error)
      .toMatchObject({ code: 'unsupported_media_type', retryable: false });
  });

  it('of a PDF under another name is refused', async () => {
    const { status, body } = await forge.upload('formats', { 'year.md': onePage('Text') });
    expect(status).toBe(415);
    expect(body.accepted.map((type: { extension: string }) => type.extension)).toContain('.pdf');
  });
});
