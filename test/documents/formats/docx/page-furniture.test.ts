import { Document, Footer, Header, HeadingLevel, Packer, PageNumber, Paragraph, Tab, TextRun } from 'docx';
import { describe, expect, it } from 'vitest';
import { chunkingSchema } from '../../../../src/contract/chunking.ts';
import { chunkDocument } from '../../../../src/documents/chunking/chunk.ts';
import { ConversionError } from '../../../../src/documents/formats/converted.ts';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { withoutPageNumbers } from '../../../../src/documents/formats/docx/rewrite/page-numbers.ts';
import { parseDocument } from '../../../helpers/parse-document.ts';
import { handMade, markdownOf, p, relationships, W_NAMESPACES } from './word.ts';

type Children = NonNullable<ConstructorParameters<typeof TextRun>[0]>;

const paragraph = (...children: (string | typeof PageNumber.CURRENT)[]) =>
  new Paragraph({ children: [new TextRun({ children } as Children)] });
const header = (...children: Paragraph[]) => new Header({ children });
const footer = (...children: Paragraph[]) => new Footer({ children });
const pageOf = ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES];

const write = async (options: ConstructorParameters<typeof Document>[0]) =>
  Buffer.from(await Packer.toBuffer(new Document(options)));

describe('headers and footers', () => {
  it('are kept once, headers in front and footers at the end', async () => {
    const section = (title: string) => ({
      headers: { default: header(paragraph('Acme Ltd – Confidential')) },
      footers: { default: footer(paragraph('Draft 3'), paragraph(...pageOf)) },
      children: [new Paragraph({ text: title, heading: HeadingLevel.HEADING_1 }), new Paragraph('Text.')],
    });
    const bytes = await write({ sections: [section('One'), section('Two')] });
    expect(await markdownOf(bytes)).toBe(
      'Page header: Acme Ltd – Confidential\n\n# One\n\nText.\n\n# Two\n\nText.\n\nPage footer: Draft 3',
    );
    expect((await convertDocx(bytes)).fidelity).toMatchObject({
      score: 1,
      counts: { headings: { source: 2, result: 2 } },
      losses: [],
    });
  });

  it('are those of first and even pages where these are printed, and empty ones leave nothing', async () => {
    const headers = {
      first: header(paragraph('Annual report')),
      default: header(paragraph('Right'), paragraph('Annual report')),
      even: header(paragraph('Left')),
    };
    const footers = { default: footer(paragraph('– ', PageNumber.CURRENT, ' –')) };
    const children = [new Paragraph('Text.')];
    const plain = await write({ sections: [{ headers, footers, children }] });
    expect(await markdownOf(plain)).toBe('Page header: Right · Annual report\n\nText.');
    const all = await write({
      evenAndOddHeaderAndFooters: true,
      sections: [{ properties: { titlePage: true }, headers, footers, children }],
    });
    expect(await markdownOf(all)).toBe('Page header: Annual report · Right · Left\n\nText.');
  });

  it('leave out the number of a page from a line that says more', async () => {
    const line = new Paragraph({
      children: [
        new TextRun('Crane manual'),
        new TextRun({ children: [new Tab(), 'Seite ', PageNumber.CURRENT, ' von ', PageNumber.TOTAL_PAGES] }),
      ],
    });
    const footers = { default: footer(line, paragraph('ISO 9001 | Page ', PageNumber.CURRENT)) };
    const bytes = await write({ sections: [{ footers, children: [new Paragraph('Text.')] }] });
    expect(await markdownOf(bytes)).toBe('Text.\n\nPage footer: Crane manual · ISO 9001');
  });

  it('are no headings, tables, lists or pictures', async () => {
    const table = `<w:tbl><w:tr><w:tc>${p('Acme', '<w:outlineLvl w:val="0"/>')}</w:tc><w:tc>${p('QM-7', '', '<w:b/>')}</w:tc></w:tr></w:tbl>`;
    const bytes = handMade(
      `${p('Text # of it.')}<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>`,
      {
        'word/header1.xml': `<w:hdr ${W_NAMESPACES}>${table}</w:hdr>`,
        'word/header2.xml': `<w:hdr ${W_NAMESPACES}>${p('Of another template')}</w:hdr>`,
        'word/_rels/document.xml.rels': relationships({
          h: ['header', 'header1.xml'],
          unused: ['header', 'header2.xml'],
        }),
      },
    );
    expect(await markdownOf(bytes)).toBe('Page header: Acme · QM-7\n\nText # of it.');
  });

  it('leave out prompts that nobody has answered, and page numbers that were typed', async () => {
    const control = (properties: string, text: string) =>
      `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${p(text)}</w:sdtContent></w:sdt>`;
    const content =
      control('<w:showingPlcHdr/>', '[Type here]') + control('', 'Ward 7') + p('- 2 -') + p('2024-06-30');
    const bytes = handMade(
      `${p('Text.')}<w:sectPr><w:footerReference w:type="default" r:id="f"/></w:sectPr>`,
      {
        'word/footer1.xml': `<w:ftr ${W_NAMESPACES}>${content}</w:ftr>`,
        'word/_rels/document.xml.rels': relationships({ f: ['footer', 'footer1.xml'] }),
      },
    );
    expect(await markdownOf(bytes)).toBe('Text.\n\nPage footer: Ward 7 · 2024-06-30');
  });

  it('are bounded, and what is too long is told as a loss', async () => {
    const headers = { default: header(paragraph('Terms and conditions. '.repeat(100)), paragraph('Acme')) };
    const { markdown, fidelity } = await convertDocx(
      await write({ sections: [{ headers, children: [new Paragraph('Text.')] }] }),
    );
    expect(markdown).toBe('Page header: Acme\n\nText.\n');
    expect(fidelity.losses).toMatchObject([{ kind: 'header_footer', count: 1 }]);
  });

  it('do not make a document of an empty one', async () => {
    const bytes = await write({
      sections: [{ headers: { default: header(paragraph('Acme')) }, children: [] }],
    });
    await expect(convertDocx(bytes)).rejects.toThrow(ConversionError);
  });

  it('leave the first chunk under its heading', async () => {
    const bytes = await write({
      sections: [
        {
          headers: { default: header(paragraph('Acme')) },
          children: [
            new Paragraph({ text: 'Safety', heading: HeadingLevel.HEADING_1 }),
            new Paragraph('Keep clear of the load. '.repeat(20)),
          ],
        },
      ],
    });
    const { markdown } = await convertDocx(bytes);
    const { leaves } = chunkDocument(parseDocument({ text: markdown, format: 'markdown' }), {
      filename: 'crane.docx',
      chunking: chunkingSchema.parse({ strategy: 'hierarchical' }),
    });
    expect(leaves[0]?.breadcrumb).toBe('[Source: crane.docx > Safety]');
    expect(leaves[0]?.text).toContain('Page header: Acme');
  });
});

describe('withoutPageNumbers', () => {
  it.each([
    ['#', ''],
    ['- # -', ''],
    ['Page # of #', ''],
    ['SEITE # von 4', ''],
    ['Draft | Page #', 'Draft'],
    ['Report 2024, p. #/#', 'Report 2024'],
    ['第 # 页 共 # 页', ''],
    ['# / # ページ', ''],
    ['Crane manual #', 'Crane manual'],
    ['# Crane manual', 'Crane manual'],
    ['Page # 2024', '2024'],
    ['Revision (C) 2015', 'Revision (C) 2015'],
  ])('%s', (text, expected) => {
    expect(withoutPageNumbers(text, '#')).toBe(expected);
  });

  it('takes the numbers alone out of what is too long for a header', () => {
    expect(withoutPageNumbers(`#${'- '.repeat(100_000)}a`, '#')).toBe(` ${'- '.repeat(100_000)}a`);
  });
});
