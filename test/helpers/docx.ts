import { Document, HeadingLevel, ImageRun, Packer, Paragraph, Table, TableCell, TableRow } from 'docx';

const heading = (text: string, level: (typeof HeadingLevel)[keyof typeof HeadingLevel]) =>
  new Paragraph({ text, heading: level });

/** A small Word file with headings, a table and prose. */
export async function makeDocx(marker = 'Northwind'): Promise<Buffer> {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] });
  const document = new Document({
    sections: [
      {
        children: [
          heading('Findings', HeadingLevel.HEADING_1),
          new Paragraph(`The study of ${marker} covers two quarters and three segments.`),
          heading('Enterprise', HeadingLevel.HEADING_2),
          new Paragraph('Enterprise customers churn at 4.1 percent because onboarding takes eleven weeks.'),
          new Paragraph(
            'Security reviews and procurement add to the delay before the first report. '.repeat(10),
          ),
          new Table({
            rows: [
              new TableRow({ children: [cell('Segment'), cell('Churn')] }),
              new TableRow({ children: [cell('Enterprise'), cell('4.1 %')] }),
            ],
          }),
          heading('Self-serve', HeadingLevel.HEADING_2),
          new Paragraph('Self-serve customers leave when the invoice import FIN-2291 fails.'),
          new Paragraph(
            'They try the import twice, write to support, and are gone within a week. '.repeat(10),
          ),
        ],
      },
    ],
  });
  return Buffer.from(await Packer.toBuffer(document));
}

/** A Word file without a single paragraph of text. */
export async function makeEmptyDocx(): Promise<Buffer> {
  return Buffer.from(await Packer.toBuffer(new Document({ sections: [{ children: [] }] })));
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** A Word file with a picture that has no alternative text: its conversion cannot keep everything. */
export async function makeDocxWithPicture(): Promise<Buffer> {
  const picture = new ImageRun({
    type: 'png',
    data: Buffer.from(PIXEL, 'base64'),
    transformation: { width: 10, height: 10 },
  });
  const children = [
    heading('Findings', HeadingLevel.HEADING_1),
    new Paragraph('The chart below says it all about zeppelins.'),
    new Paragraph({ children: [picture] }),
  ];
  return Buffer.from(await Packer.toBuffer(new Document({ sections: [{ children }] })));
}
