import {
  AlignmentType,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  LevelFormat,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import { describe, expect, it } from 'vitest';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { handMade, markdownOf, p, written } from './word.ts';

const numbering = {
  config: [
    {
      reference: 'steps',
      levels: [
        { level: 0, format: LevelFormat.DECIMAL, text: '%1.', alignment: AlignmentType.LEFT },
        { level: 1, format: LevelFormat.LOWER_LETTER, text: '%2)', alignment: AlignmentType.LEFT },
        { level: 2, format: LevelFormat.BULLET, text: '•', alignment: AlignmentType.LEFT },
      ],
    },
    {
      reference: 'clauses',
      levels: [
        { level: 0, format: LevelFormat.DECIMAL, text: '%1', alignment: AlignmentType.LEFT },
        { level: 1, format: LevelFormat.DECIMAL, text: '%1.%2', alignment: AlignmentType.LEFT },
      ],
    },
  ],
};
const item = (text: string, level: number, reference = 'steps', instance = 0) =>
  new Paragraph({ text, numbering: { reference, level, instance } });
const cell = (content: string | Paragraph[], options = {}) =>
  new TableCell({ children: typeof content === 'string' ? [new Paragraph(content)] : content, ...options });

describe('headings', () => {
  it('keeps title and headings with their levels, without emphasis', async () => {
    const bytes = await written([
      new Paragraph({ text: 'Annual report', heading: HeadingLevel.TITLE }),
      new Paragraph({ text: 'Findings', heading: HeadingLevel.HEADING_1 }),
      new Paragraph({
        children: [new TextRun({ text: 'Customers', bold: true })],
        heading: HeadingLevel.HEADING_2,
      }),
      new Paragraph('They left.'),
    ]);
    expect(await markdownOf(bytes)).toBe('# Annual report\n\n# Findings\n\n## Customers\n\nThey left.');
  });

  it('writes the numbers that Word generates for headings', async () => {
    const heading = (text: string, level: number) =>
      new Paragraph({
        text,
        heading: level === 0 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
        numbering: { reference: 'clauses', level },
      });
    const bytes = await written(
      [heading('Scope', 0), heading('Terms', 1), heading('Duties', 0), heading('Fees', 1)],
      {
        numbering,
      },
    );
    expect(await markdownOf(bytes)).toBe('# 1 Scope\n\n## 1.1 Terms\n\n# 2 Duties\n\n## 2.1 Fees');
  });

  it('knows a heading by the outline level of its style, and of its paragraph, whatever the name', async () => {
    const styles =
      '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
      '<w:style w:type="paragraph" w:styleId="Kop"><w:name w:val="Kop van stuk"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="Sub"><w:name w:val="Sub"/><w:basedOn w:val="Kop"/></w:style></w:styles>';
    const body =
      p('One', '<w:pStyle w:val="Kop"/>') +
      p('Two', '<w:pStyle w:val="Sub"/>') +
      p('Three', '<w:outlineLvl w:val="2"/>');
    expect(await markdownOf(handMade(body, { 'word/styles.xml': styles }))).toBe(
      '## One\n\n## Two\n\n### Three',
    );
  });
});

describe('pseudo-headings', () => {
  const bold = (text: string, size = '') => p(text, '', `<w:b/>${size && `<w:sz w:val="${size}"/>`}`);
  const body = (text: string) => p(text, '', '<w:sz w:val="22"/>');

  it('promotes short bold lines when a document has no headings, larger ones higher', async () => {
    const bytes = handMade(
      bold('Market study', '36') +
        body('Intro text.') +
        bold('Customers', '26') +
        body('They left.') +
        bold('Prices', '26') +
        body('Too high.'),
    );
    expect(await markdownOf(bytes)).toBe(
      '# Market study\n\nIntro text.\n\n## Customers\n\nThey left.\n\n## Prices\n\nToo high.',
    );
  });

  it('leaves bold text alone when there are real headings', async () => {
    const bytes = handMade(
      p('Real', '<w:pStyle w:val="x"/><w:outlineLvl w:val="0"/>') + bold('Only bold') + body('Text.'),
    );
    expect(await markdownOf(bytes)).toBe('# Real\n\n**Only bold**\n\nText.');
  });

  it('does not take bold sentences, addresses and last lines for headings', async () => {
    const bytes = handMade(
      bold('Do not press the red button.') +
        body('Text.') +
        ['Jane Doe', '1 Main Street', 'Springfield', 'Illinois'].map((line) => bold(line)).join('') +
        body('More text.') +
        bold('Yours'),
    );
    expect(await markdownOf(bytes)).not.toMatch(/^#/m);
  });

  it('promotes numbered bold lines with their numbers', async () => {
    const numberedBold = (text: string) =>
      new Paragraph({
        children: [new TextRun({ text, bold: true })],
        numbering: { reference: 'steps', level: 0 },
      });
    const bytes = await written(
      [numberedBold('Goals'), new Paragraph('Grow.'), numberedBold('Risks'), new Paragraph('Many.')],
      { numbering },
    );
    expect(await markdownOf(bytes)).toBe('## 1. Goals\n\nGrow.\n\n## 2. Risks\n\nMany.');
  });
});

describe('lists', () => {
  it('nests and numbers', async () => {
    const bytes = await written(
      [item('Plan', 0), item('Ask', 1), item('Users', 2), item('Listen', 1), item('Build', 0)],
      { numbering },
    );
    expect(await markdownOf(bytes)).toBe('1. Plan\n   1. Ask\n      - Users\n   2. Listen\n2. Build');
  });

  it('goes on counting after a paragraph in between, and starts a restarted list anew', async () => {
    const bytes = await written(
      [item('a', 0), item('b', 0), new Paragraph('Between.'), item('c', 0), item('d', 0, 'steps', 1)],
      { numbering },
    );
    expect(await markdownOf(bytes)).toBe('1. a\n2. b\n\nBetween.\n\n3. c\n1) d');
  });

  it('keeps labels that Markdown cannot count', async () => {
    const bytes = await written(
      [item('Parties', 0, 'clauses'), item('The buyer', 1, 'clauses'), item('The seller', 1, 'clauses')],
      {
        numbering,
      },
    );
    expect(await markdownOf(bytes)).toBe('1. Parties\n   - 1.1 The buyer\n   - 1.2 The seller');
  });

  it('gives a list that begins at a deep level no empty outer items', async () => {
    const bytes = await written([new Paragraph('Before.'), item('Deep', 2), item('Deeper still', 2)], {
      numbering,
    });
    expect(await markdownOf(bytes)).toBe('Before.\n\n- Deep\n- Deeper still');
  });
});

describe('tables', () => {
  const row = (...cells: TableCell[]) => new TableRow({ children: cells });

  it('writes a plain table as GFM, with its bars escaped and its paragraphs on one line', async () => {
    const bytes = await written([
      new Table({
        rows: [
          row(cell('Name'), cell('Value|unit')),
          row(cell([new Paragraph('two'), new Paragraph('parts')]), cell('1. x')),
        ],
      }),
    ]);
    expect(await markdownOf(bytes)).toBe('| Name | Value\\|unit |\n| --- | --- |\n| two<br>parts | 1. x |');
  });

  it('writes merged cells as HTML with their spans', async () => {
    const bytes = await written([
      new Table({
        rows: [
          row(cell('Year', { rowSpan: 2 }), cell('Sales & <more>', { columnSpan: 2 })),
          row(cell('North'), cell('South')),
        ],
      }),
    ]);
    expect(await markdownOf(bytes)).toBe(
      '<table>\n<tr><td rowspan="2">Year</td><td colspan="2">Sales &amp; &lt;more&gt;</td></tr>\n<tr><td>North</td><td>South</td></tr>\n</table>',
    );
  });

  it('writes lists and tables within cells as HTML', async () => {
    const inner = new Table({ rows: [row(cell('x'), cell('y'))] });
    const bytes = await written(
      [
        new Table({
          rows: [
            row(
              new TableCell({ children: [item('one', 0), item('two', 0)] }),
              new TableCell({ children: [inner, new Paragraph('')] }),
            ),
            row(cell('a'), cell('b')),
          ],
        }),
      ],
      { numbering },
    );
    const markdown = await markdownOf(bytes);
    expect(markdown).toContain('<td><ol><li>one</li><li>two</li></ol></td>');
    expect(markdown).toContain('<td><table>\n<tr><td>x</td><td>y</td></tr>\n</table></td>');
  });

  it('opens a frame made of a single cell', async () => {
    const bytes = await written([
      new Table({ rows: [row(cell([new Paragraph('Note'), new Paragraph('Well.')]))] }),
    ]);
    expect(await markdownOf(bytes)).toBe('Note\n\nWell.');
  });
});

describe('the whole document', () => {
  it('keeps footnotes, links and pictures, and reports what is missing', async () => {
    const bytes = await written(
      [
        new Paragraph({ text: 'Results', heading: HeadingLevel.HEADING_1 }),
        new Paragraph({
          children: [
            new TextRun('Sales fell'),
            new FootnoteReferenceRun(1),
            new TextRun(', see '),
            new ExternalHyperlink({
              children: [new TextRun('the study')],
              link: 'https://example.com/a_(b)',
            }),
            new TextRun('.'),
          ],
        }),
      ],
      { footnotes: { 1: { children: [new Paragraph('By 3 %.')] } } },
    );
    const { markdown, fidelity } = await convertDocx(bytes);
    expect(markdown).toBe(
      '# Results\n\nSales fell[^1], see [the study](https://example.com/a_\\(b\\)).\n\n[^1]: By 3 %.\n',
    );
    expect(fidelity.score).toBe(1);
    expect(fidelity.counts).toMatchObject({
      headings: { source: 1, result: 1 },
      links: { source: 1, result: 1 },
      footnotes: { source: 1, result: 1 },
    });
    expect(fidelity.losses).toEqual([]);
  });
});
