import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'tables', name: 'Tables' });
});
afterAll(() => forge.close());

const HEADER = '| order | customer | region | amount |\n| --- | --- | --- | --- |\n';
const orders = Array.from(
  { length: 1_000 },
  (_, i) => `ORD-${7_000 + i};Customer ${i};"North; ${i % 7}";${i},50`,
);
const csv = `order;customer;region;amount\r\n${orders.join('\r\n')}\r\n`;
const file = '/projects/tables/files/orders.csv';

interface Hit {
  parent_id: string;
  text: string;
  header_path: string[];
  char_start: number;
  char_end: number;
}

describe('an upload of a table', () => {
  it('is stored as Markdown, with every row', async () => {
    const { status, body } = await forge.upload('tables', { 'orders.csv': csv });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      media_type: 'text/csv',
      status: 'completed',
      fidelity: { score: 1, losses: [] },
    });
    expect(body.fidelity.counts).toEqual({
      tables: { source: 1, result: 1 },
      rows: { source: 1_000, result: 1_000 },
    });
    const { text } = await forge.call('GET', `${file}/markdown`);
    expect(text.startsWith(`${HEADER}| ORD-7000 | Customer 0 | North; 0 | 0,50 |\n`)).toBe(true);
    expect(text.trimEnd().split('\n')).toHaveLength(1_002);
    expect((await forge.call('GET', `${file}/content`)).text).toBe(csv);
  });

  it('is found by the values of a row, and says what its columns are', async () => {
    const { body } = await forge.call('POST', '/projects/tables/search', { query: 'ORD-7613', limit: 1 });
    const [hit] = body.data as Hit[];
    expect(hit?.text).toContain('| ORD-7613 | Customer 613 | North; 4 | 613,50 |');
    expect(hit?.header_path).toEqual(['order, customer, region, amount']);
    const { text } = await forge.call('GET', `${file}/markdown`);
    expect(text.slice(hit?.char_start, hit?.char_end)).toBe(hit?.text);
  });

  it('has leaves that repeat the header, and an outline that leads to rows', async () => {
    const { body: leaves } = await forge.call('GET', `${file}/leaves?limit=100`);
    expect(leaves.data.length).toBeGreaterThan(10);
    for (const leaf of leaves.data) expect(leaf.text.startsWith(HEADER)).toBe(true);

    const { body: outline } = await forge.call('GET', `${file}/outline`);
    expect(outline.nodes[0]).toMatchObject({ text: 'order, customer, region, amount', level: 1 });
    const rows = outline.nodes.find((node: { text: string }) => node.text === 'Rows 601 to 700');
    const { body: pointer } = await forge.call(
      'GET',
      `/projects/tables/pointers/${encodeURIComponent(rows.pointer_id)}`,
    );
    expect(pointer.text.startsWith('| ORD-7600 | ')).toBe(true);
  });

  it('of tabs is one too', async () => {
    const { body } = await forge.upload('tables', { 'cities.tsv': 'city\tcountry\nKöln, alt\tDE\n' });
    expect(body).toMatchObject({ media_type: 'text/tab-separated-values', status: 'completed' });
  });

  it('of binary content fails with what to do', async () => {
    const noise = Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 89 + 7) % 256));
    const { body } = await forge.upload('tables', { 'noise.csv': noise });
    expect(body).toMatchObject({
      status: 'failed',
      last_error: { code: 'unreadable_text', retryable: false },
    });
  });
});
