import net from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConversionError } from '../../../../src/documents/formats/converted.ts';
import { convertPdf } from '../../../../src/documents/formats/pdf/convert.ts';
import { makePdf, onePage, type PdfText } from './pdf-file.ts';

/** Lines below each other from `top`, 12 points apart. */
const lines = (texts: string[], top = 600): PdfText[] => texts.map((text, i) => ({ text, y: top - 12 * i }));
const fill = (text: string): string => `${text.padEnd(69, ' x').slice(0, 69)}x`;

async function codeOf(bytes: Uint8Array): Promise<string> {
  return convertPdf(bytes).then(
    () => 'converted',
    (error: unknown) => (error instanceof ConversionError ? error.code : String(error)),
  );
}

afterEach(() => vi.restoreAllMocks());

describe('convertPdf', () => {
  it('gives the text of each page with the offset at which it starts', async () => {
    const { markdown, pageStarts, format, fidelity } = await convertPdf(
      makePdf([{ texts: lines(['First page.']) }, {}, { texts: lines(['Third page.']) }]),
    );
    expect(markdown).toBe('First page.\n\nThird page.\n');
    expect(pageStarts).toEqual([0, 11, 13]);
    expect(format).toBe('pdf');
    expect(fidelity.counts.pages).toEqual({ source: 3, result: 2 });
    expect(fidelity.losses).toMatchObject([{ kind: 'page_without_text', count: 1 }]);
    expect(fidelity.score).toBeCloseTo(2 / 3, 2);
  });

  it('joins the lines of a paragraph and leaves those of a list and of short lines apart', async () => {
    const long = [fill('Alpha beta'), fill('gamma delta'), 'the end.'];
    const list = ['1. one item', '2. another item'];
    const { markdown } = await convertPdf(
      makePdf([
        { texts: [...lines(long), ...lines(list, 520), ...lines(['call(a) {', '  go()', '}'], 450)] },
      ]),
    );
    const [paragraph, items, code] = markdown.trim().split('\n\n');
    expect(paragraph).toBe(long.join(' '));
    expect(items).toBe(list.join('\n'));
    expect(code).toBe('call(a) {\ngo()\n}');
  });

  it('carries on a paragraph on the next page, whose start it still tells', async () => {
    const { markdown, pageStarts } = await convertPdf(
      makePdf([{ texts: lines([fill('Alpha'), fill('beta')]) }, { texts: lines(['gamma.', '', 'Delta.']) }]),
    );
    expect(markdown).toContain('x\ngamma.');
    expect(markdown.slice(pageStarts?.[1])).toMatch(/^gamma/);
  });

  it('puts parted words together, but not those that are written with a hyphen', async () => {
    const texts = lines([
      `${fill('A well-known').slice(0, 58)} conver-`,
      `${fill('sion of a').slice(0, 60)} well-`,
      'known document.',
    ]);
    const { markdown } = await convertPdf(makePdf([{ texts }]));
    expect(markdown).toContain('conversion of a');
    expect(markdown).toContain('well-known document');
  });

  it('takes larger lines for headings, and is Markdown then', async () => {
    const { markdown, format, pageStarts } = await convertPdf(
      makePdf([
        {
          texts: [
            { text: 'The Title', y: 650, size: 20 },
            ...lines(['# no heading', 'Some text of the first part.', 'And more of it in short lines.']),
            { text: 'A Part', y: 500, size: 14 },
            ...lines(['Text of the part, which is longer than its heading is.'], 480),
          ],
        },
        { texts: lines(['<script> is text as well, and enough of it to be the body.']) },
      ]),
    );
    expect(format).toBe('markdown');
    expect(markdown).toMatch(/^# The Title\n\n\\# no heading/);
    expect(markdown).toContain('\n\n## A Part\n\nText of the part');
    expect(markdown.slice(pageStarts?.[1])).toMatch(/^\\<script> is text/);
  });

  it('takes for headings what the bookmarks of the document name, on their levels, whatever its size', async () => {
    const texts = [
      ...lines(['PART I - THE', 'DEFINITIONS', '1. Terms', 'The terms are these, each in its place.'], 650),
      { text: 'Twice the size', y: 400, size: 20 },
    ];
    const bookmarks = [
      { title: 'Part I: The Definitions', page: 1 },
      { title: '1. Terms', page: 1 },
      { title: 'Not on this page', page: 0 },
    ];
    const pdf = makePdf([{ texts: lines(['1. Terms', 'A line.']) }, { texts }], { bookmarks });
    const { markdown, format } = await convertPdf(pdf);
    expect(format).toBe('markdown');
    expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# PART I - THE DEFINITIONS',
      '## 1. Terms',
    ]);
    expect(markdown).toContain('## 1. Terms\n\nThe terms are these');
  });

  it('measures headings by the running text where small print has the most letters', async () => {
    const small = Array.from({ length: 12 }, (_, i) => ({
      text: fill('Small print'),
      y: 300 - 9 * i,
      size: 8,
    }));
    const texts = [
      { text: 'Findings', y: 700, size: 14 },
      ...lines([fill('Running text'), fill('Running text'), fill('Running text'), fill('End.')], 680),
      ...small,
    ];
    const { markdown } = await convertPdf(makePdf([{ texts }]));
    expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toEqual(['# Findings']);
  });

  it('has no headings where much of it is larger than the rest, as in a form', async () => {
    const texts = Array.from({ length: 8 }, (_, i) => [
      { text: `Label ${i}`, y: 700 - 60 * i, size: 14 },
      { text: `Value ${i}`, y: 670 - 60 * i, size: 10 },
    ]).flat();
    const { format } = await convertPdf(makePdf([{ texts }]));
    expect(format).toBe('pdf');
  });

  it('parts columns by tabs', async () => {
    const { markdown } = await convertPdf(
      makePdf([
        {
          texts: [
            { text: 'Enterprise', y: 600 },
            { text: '4.1 %', x: 300, y: 600 },
          ],
        },
      ]),
    );
    expect(markdown).toBe('Enterprise\t4.1 %\n');
  });

  it('keeps a running header once, and no page numbers', async () => {
    const pages = Array.from({ length: 5 }, (_, i) => ({
      texts: [
        { text: 'Annual report', y: 760 },
        ...lines([`MARKER-${i}`, 'The same sentence on each page stays.']),
        { text: `Page ${i + 3} of 9`, y: 30 },
      ],
    }));
    const { markdown, fidelity } = await convertPdf(makePdf(pages));
    expect(markdown.match(/Annual report/g)).toHaveLength(1);
    expect(markdown.match(/The same sentence/g)).toHaveLength(5);
    expect(markdown.match(/MARKER-\d/g)).toHaveLength(5);
    expect(markdown).not.toContain('of 9');
    expect(fidelity.losses).toMatchObject([{ kind: 'header_footer', count: 9 }]);
  });

  it('reports pictures and the addresses that the text does not have', async () => {
    const { fidelity } = await convertPdf(
      makePdf([
        {
          texts: lines(['See https://example.com/a for more.']),
          links: ['https://example.com/a', 'https://example.com/hidden'],
          image: true,
        },
      ]),
    );
    expect(fidelity.counts).toMatchObject({
      links: { source: 2, result: 1 },
      images: { source: 1, result: 0 },
    });
    expect(fidelity.losses.map(({ kind }) => kind)).toEqual(['image', 'link']);
    expect(fidelity.score).toBeLessThan(1);
  });

  it('says of a scan that it needs text recognition', async () => {
    const scan = makePdf([{ image: true }, { image: true }]);
    await expect(convertPdf(scan)).rejects.toMatchObject({
      code: 'no_text_layer',
      message: expect.stringMatching(/OCR/),
    });
  });

  it.each([
    ['rubbish', Buffer.from('%PDF-1.7\nrubbish'), 'corrupt_file'],
    ['nothing but a mark', Buffer.from('%PDF-'), 'corrupt_file'],
    ['no pages', makePdf([]), 'no_text'],
    [
      'a password',
      makePdf([{ texts: lines(['secret']) }], {
        trailer: `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> >>`,
      }),
      'encrypted_file',
    ],
  ])('refuses %s', async (_, bytes, code) => expect(await codeOf(bytes)).toBe(code));

  it('reads a file that was cut off as far as it goes', async () => {
    const whole = makePdf([{ texts: lines(['Still here.']) }]);
    expect((await convertPdf(whole.subarray(0, whole.lastIndexOf('xref\n')))).markdown).toBe('Still here.\n');
  });

  it('refuses more pages than a document has', async () => {
    expect(await codeOf(makePdf(Array.from({ length: 5_001 }, () => ({}))))).toBe('too_many_pages');
  });

  it('believes no false number of pages', async () => {
    const bytes = onePage('Words').toString('latin1').replace('/Count 1', '/Count 999999999');
    expect((await convertPdf(Buffer.from(bytes, 'latin1'))).pageStarts).toEqual([0]);
  });

  it('opens no connection and runs nothing, whatever the file asks for', async () => {
    const connect = vi.spyOn(net.Socket.prototype, 'connect');
    const fetched = vi.spyOn(globalThis, 'fetch');
    const script = '/OpenAction << /S /JavaScript /JS (globalThis.pwned = true) >>';
    const remote = '/AA << /WC << /S /GoToR /F << /FS /URL /F (http://127.0.0.1:9/x) >> >> >>';
    const bytes = makePdf([{ texts: lines(['Text']), links: ['http://127.0.0.1:9/y'] }], {
      catalog: `${script} ${remote}`,
    });
    // a font that is not embedded, with a table of characters that the reader does not have
    const wide = Buffer.from(
      bytes.toString('latin1').replace('/WinAnsiEncoding', '/UniGB-UCS2-H   '),
      'latin1',
    );
    expect((await convertPdf(bytes)).markdown).toBe('Text\n');
    await codeOf(wide);
    expect(connect).not.toHaveBeenCalled();
    expect(fetched).not.toHaveBeenCalled();
    expect(globalThis).not.toHaveProperty('pwned');
  });
});
