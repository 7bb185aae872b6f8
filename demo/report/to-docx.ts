import {
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import type { Block, Inline, ListItem, Report } from './blocks.ts';

const HEADINGS = {
  1: HeadingLevel.HEADING_1,
  2: HeadingLevel.HEADING_2,
  3: HeadingLevel.HEADING_3,
} as const;
const MARKUP = /\*\*(.+?)\*\*|\*(.+?)\*|\[\^(\d+)\]|\[(.+?)\]\((.+?)\)/g;

function runs(text: Inline): ParagraphChild[] {
  const children: ParagraphChild[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKUP)) {
    const [whole, bold, italic, note, label, link] = match;
    if (match.index > end) children.push(new TextRun(text.slice(end, match.index)));
    end = match.index + whole.length;
    if (bold !== undefined) children.push(new TextRun({ text: bold, bold: true }));
    else if (italic !== undefined) children.push(new TextRun({ text: italic, italics: true }));
    else if (note !== undefined) children.push(new FootnoteReferenceRun(Number(note)));
    else if (label !== undefined && link !== undefined) {
      const shown = new TextRun({ text: label, style: 'Hyperlink' });
      children.push(new ExternalHyperlink({ link, children: [shown] }));
    }
  }
  if (end < text.length) children.push(new TextRun(text.slice(end)));
  return children;
}

function listItems(items: ListItem[], reference: string, instance: number, level = 0): Paragraph[] {
  return items.flatMap((item) => {
    const { text, items: below } = typeof item === 'string' ? { text: item, items: [] } : item;
    const numbering = { reference, level, instance };
    return [
      new Paragraph({ children: runs(text), numbering }),
      ...listItems(below, 'bullets', instance, level + 1),
    ];
  });
}

function wordTable(rows: Inline[][]): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: rows.map(
      (cells, index) =>
        new TableRow({
          tableHeader: index === 0,
          children: cells.map(
            (cell) =>
              new TableCell({
                children: [new Paragraph({ children: runs(index === 0 ? `**${cell}**` : cell) })],
              }),
          ),
        }),
    ),
  });
}

function wordBlocks(block: Block, index: number): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'title':
      return [new Paragraph({ text: block.text, heading: HeadingLevel.TITLE })];
    case 'heading':
      return [new Paragraph({ text: block.text, heading: HEADINGS[block.level] })];
    case 'paragraph':
      return [new Paragraph({ children: runs(block.text), spacing: { after: 160 } })];
    case 'list':
      return listItems(block.items, block.numbered ? 'steps' : 'bullets', index);
    case 'table':
      return [wordTable(block.rows), new Paragraph('')];
  }
}

const indented = (level: number) => ({
  paragraph: { indent: { left: 360 * (level + 1), hanging: 260 } },
});
const levels = (format: (typeof LevelFormat)[keyof typeof LevelFormat], text: (level: number) => string) =>
  [0, 1, 2].map((level) => ({ level, format, text: text(level), style: indented(level) }));

/** The report as a .docx file with real headings, lists, tables, footnotes and links. */
export async function toDocx(report: Report): Promise<Buffer> {
  const document = new Document({
    title: report.title,
    creator: report.author,
    lastModifiedBy: report.author,
    footnotes: Object.fromEntries(
      Object.entries(report.footnotes).map(([id, text]) => [id, { children: [new Paragraph(text)] }]),
    ),
    numbering: {
      config: [
        { reference: 'bullets', levels: levels(LevelFormat.BULLET, () => '•') },
        { reference: 'steps', levels: levels(LevelFormat.DECIMAL, (level) => `%${level + 1}.`) },
      ],
    },
    sections: [{ children: report.blocks.flatMap(wordBlocks) }],
  });
  return Packer.toBuffer(document);
}
