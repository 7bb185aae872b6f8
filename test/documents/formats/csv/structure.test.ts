import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkingSchema } from '../../../../src/contract/chunking.ts';
import { prepareDocument } from '../../../../src/documents/conversion/prepare.ts';
import { convertCsv } from '../../../../src/documents/formats/csv/convert.ts';
import { buildOutline } from '../../../../src/documents/outline/outline.ts';
import { parseDocument } from '../../../helpers/parse-document.ts';
import { prose } from '../../../helpers/prose.ts';

const prepare = (csv: string) =>
  prepareDocument(convertCsv(Buffer.from(csv), 32_000_000), {
    name: 'sales.csv',
    chunking: chunkingSchema.parse({ strategy: 'hierarchical' }),
  });
const sales = (count: number) =>
  `day,customer,amount\n${Array.from({ length: count }, (_, i) => `2024-01-01,Customer ${i},${i * 3}\n`).join('')}`;
const HEADER = '| day | customer | amount |\n| --- | --- | --- |\n';

const { converted, document, outline } = await prepare(sales(1_234));

describe('a table', () => {
  it('is one section named by its columns, which leaves and parents say', () => {
    expect(document.sections).toMatchObject([{ headerPath: ['day, customer, amount'], level: 1 }]);
    for (const { breadcrumb } of [...document.leaves, ...document.parents]) {
      expect(breadcrumb).toBe('[Source: sales.csv > day, customer, amount]');
    }
  });

  it('is cut between rows, and each leaf has the header', () => {
    expect(document.leaves.length).toBeGreaterThan(50);
    for (const leaf of document.leaves) {
      expect(leaf.text.startsWith(HEADER)).toBe(true);
      expect(leaf.text).toMatch(/ \|$/);
      expect(leaf.tokens).toBeLessThanOrEqual(500);
      expect(converted.markdown.slice(leaf.charStart, leaf.charEnd)).toBe(
        leaf.leafIndex === 0 ? leaf.text : leaf.text.slice(HEADER.length),
      );
    }
  });

  it('has an outline of its rows by hundreds in thousands', () => {
    const [root, thousand, hundred] = outline.nodes;
    expect(root).toMatchObject({
      text: 'day, customer, amount',
      blurb: '1234 rows, 3 columns; the first row: 2024-01-01, Customer 0, 0',
      parentId: null,
      charStart: 0,
      charEnd: converted.markdown.length,
    });
    expect(thousand).toMatchObject({ text: 'Rows 1 to 1000', parentId: root?.id, level: 2 });
    expect(hundred).toMatchObject({
      text: 'Rows 1 to 100',
      parentId: thousand?.id,
      blurb: '2024-01-01, Customer 0, 0 … 2024-01-01, Customer 99, 297',
    });
    expect(outline.nodes.map(({ text }) => text).slice(-4)).toEqual([
      'Rows 1001 to 1234',
      'Rows 1001 to 1100',
      'Rows 1101 to 1200',
      'Rows 1201 to 1234',
    ]);
    const last = outline.nodes.at(-1);
    expect(converted.markdown.slice(last?.charStart, last?.charEnd)).toMatch(
      /^\| 2024-01-01 \| Customer 1200 \|(?:.|\n)*Customer 1233 \| 3699 \|\n$/,
    );
  });

  it('keeps nearly all leaves when a row is inserted', async () => {
    const after = await prepare(
      sales(1_234).replace('2024-01-01,Customer 600', 'new,row,0\n2024-01-01,Customer 600'),
    );
    const known = new Set(document.leaves.map(({ id }) => id));
    expect(after.document.leaves.filter(({ id }) => !known.has(id)).length).toBeLessThanOrEqual(4);
  });

  it('has an outline within limits when it is huge', () => {
    const text = `${HEADER}${`| 2024-01-01 | ${'x'.repeat(40)} | 1 |\n`.repeat(120_000)}`;
    const huge = buildOutline(parseDocument({ text, format: 'csv' }), []);
    expect(huge.guardrail).toBe('huge_document_guardrail');
    expect(huge.nodes).toHaveLength(3);
    expect(huge.nodes.at(-1)?.text).toBe('Rows 100001 to 120000');
  });

  it('may be short: no rows, or some below a title', async () => {
    expect((await prepare('day,customer\n')).outline.nodes).toMatchObject([{ blurb: '0 rows, 2 columns' }]);
    const { document: titled, outline: nodes } = await prepare('Sales 2024\n\nday,customer\n1,Ada\n');
    expect(titled.leaves.map(({ text }) => text)).toEqual([
      'Sales 2024\n\n| day | customer |\n| --- | --- |\n| 1 | Ada |',
    ]);
    expect(nodes.nodes).toMatchObject([
      { text: 'day, customer', blurb: '1 row, 2 columns; the first row: 1, Ada' },
    ]);
  });
});

const csv = Array.from({ length: 30 }, (_, i) => `FIN-${i},Ada,"${prose(i, 12)}","${prose(i + 50, 12)}"\n`);
const records = await prepare(`key,owner,cause,effect\n${csv.join('')}`);

describe('records', () => {
  it('are cut between cells, and each part starts with the first line of its record', () => {
    const [head, ...parts] = records.document.leaves;
    expect(head?.text.startsWith('Columns: key | owner | cause | effect')).toBe(true);
    const whole = parts.filter(({ text }) => text.startsWith('key: FIN-'));
    expect(whole.length).toBeGreaterThan(30);
    for (const { text } of whole) expect(text).toMatch(/^key: FIN-\d+\n- (?:owner|cause|effect): /);
    for (const leaf of records.document.leaves) expect(leaf.tokens).toBeLessThanOrEqual(500);
  });

  it('are named in the outline', () => {
    expect(records.outline.nodes).toMatchObject([
      { text: 'key, owner, cause, effect', blurb: '30 rows, 4 columns; the first row: key: FIN-0' },
    ]);
  });
});

describe('any stored text', () => {
  it('is read, table or not', () => {
    for (const text of ['just words\n\nmore', '| a |', '| a |\n| --- |', 'Columns: ', '|\n| --- |\n']) {
      const [section] = parseDocument({ text, format: 'csv' }).sections(100);
      expect(section?.section.charEnd).toBe(text.length);
    }
  });

  it('of a conversion has as many columns and rows as the file', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'b ', '|', '\\', '"', ',', '\n', '<br>', '- ', ' '),
      minLength: 1,
    });
    const quoted = (value: string) => `"x${value.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        (cells) => {
          const csv = `one,two,three\n${cells.map((row) => row.map(quoted).join(',')).join('\n')}\n`;
          const { markdown, fidelity } = convertCsv(Buffer.from(csv), 32_000_000);
          const { items } = parseDocument({ text: markdown, format: 'csv' }).outline({ levels: 9, nodes: 9 });
          expect(items[0]).toMatchObject({ text: 'one, two, three' });
          expect(items[0]?.blurb).toMatch(new RegExp(`^${cells.length} rows?, 3 columns; `));
          expect(fidelity.score).toBe(1);
        },
      ),
    );
  });
});
