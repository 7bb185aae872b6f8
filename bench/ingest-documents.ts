import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';
import { prose } from '../test/helpers/prose.ts';

const PARAGRAPHS_A_PAGE = 5;
const SENTENCES = 9;
const WORDS = 10;
const PAGES_A_CHAPTER = 10;
const PAGES_A_TABLE = 5;

const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });

function table(page: number): Table {
  const rows = Array.from({ length: 8 }, (_, i) => [
    `Segment ${page}.${i}`,
    `${(page * 7 + i) % 100} %`,
    prose(page + i, 1),
  ]);
  return new Table({
    rows: [['Segment', 'Share', 'Note'], ...rows].map((texts) => new TableRow({ children: texts.map(cell) })),
  });
}

/**
 * A Word file of so many pages of 450 words, with headings on two levels and a table on every fifth page.
 *
 * @param edited takes another paragraph for the one in the middle
 */
export async function makeReport(pages: number, { edited = false } = {}): Promise<Buffer> {
  const middle = Math.floor(pages / 2) * PARAGRAPHS_A_PAGE;
  const children = Array.from({ length: pages }, (_, page) => [
    ...(page % PAGES_A_CHAPTER === 0
      ? [new Paragraph({ text: `Chapter ${page / PAGES_A_CHAPTER + 1}`, heading: HeadingLevel.HEADING_1 })]
      : []),
    new Paragraph({ text: `Finding ${page + 1}: ${prose(page, 1, 4)}`, heading: HeadingLevel.HEADING_2 }),
    ...Array.from({ length: PARAGRAPHS_A_PAGE }, (_, i) => {
      const seed = page * PARAGRAPHS_A_PAGE + i;
      return new Paragraph(prose(edited && seed === middle ? 1e6 : seed, SENTENCES, WORDS));
    }),
    ...(page % PAGES_A_TABLE === 0 ? [table(page)] : []),
  ]).flat();
  return Buffer.from(await Packer.toBuffer(new Document({ sections: [{ children }] })));
}
