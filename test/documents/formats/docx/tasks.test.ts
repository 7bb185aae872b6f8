import { CheckBox, LevelFormat, Paragraph, Table, TableCell, TableRow, TextRun } from 'docx';
import { describe, expect, it } from 'vitest';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { handMade, markdownOf, p, W_NAMESPACES, written } from './word.ts';

const box = (checked: boolean, text: string, options = {}) =>
  new Paragraph({ ...options, children: [new CheckBox({ checked }), new TextRun(` ${text}`)] });

const numbering = {
  config: [
    {
      reference: 'list',
      levels: [
        {
          level: 0,
          format: LevelFormat.DECIMAL,
          text: '%1.',
          style: { paragraph: { indent: { left: 720, hanging: 360 } } },
        },
        {
          level: 1,
          format: LevelFormat.BULLET,
          text: '•',
          style: { paragraph: { indent: { left: 1440, hanging: 360 } } },
        },
      ],
    },
  ],
};
const listed = (level: number) => ({ numbering: { reference: 'list', level } });

const symbol = (font: string, code: string, text: string) =>
  `<w:p><w:r><w:sym w:font="${font}" w:char="${code}"/></w:r><w:r><w:tab/><w:t>${text}</w:t></w:r></w:p>`;

describe('tasks', () => {
  it('makes items of paragraphs with the check box of a content control', async () => {
    const bytes = await written([
      new Paragraph('Before go-live:'),
      box(true, 'backup'),
      box(false, 'restore'),
    ]);
    expect(await markdownOf(bytes)).toBe('Before go-live:\n\n- [x] backup\n- [ ] restore');
    expect((await convertDocx(bytes)).fidelity).toMatchObject({
      score: 1,
      counts: { list_items: { source: 2, result: 2 } },
    });
  });

  it('keeps them in the lists that they stand in', async () => {
    const bytes = await written(
      [box(false, 'plan', listed(0)), box(true, 'dates', listed(1)), box(false, 'build', listed(0))],
      { numbering },
    );
    expect(await markdownOf(bytes)).toBe('1. [ ] plan\n   - [x] dates\n2. [ ] build');
  });

  it('nests tasks in the item that they are set in under, beside one another', async () => {
    const indent = { indent: { left: 720 } };
    const bytes = await written(
      [
        new Paragraph({ text: 'Choose', ...listed(0) }),
        box(false, 'red', indent),
        box(true, 'blue', indent),
        new Paragraph({ text: 'Pay', ...listed(0) }),
      ],
      { numbering },
    );
    expect(await markdownOf(bytes)).toBe('1. Choose\n   - [ ] red\n   - [x] blue\n2. Pay');
  });

  it('knows the signs for boxes, as characters and as symbols', async () => {
    const body =
      p('☐ one') +
      p('☑\u00a0two') +
      p('☒three', '', '<w:b/>') +
      symbol('Wingdings', 'F0A8', 'four') +
      symbol('Wingdings', 'F0FE', 'five') +
      symbol('Wingdings 2', 'F053', 'six');
    expect(await markdownOf(handMade(body))).toBe(
      '- [ ] one\n- [x] two\n- [x] **three**\n- [ ] four\n- [x] five\n- [x] six',
    );
  });

  it('knows lists whose bullets are boxes', async () => {
    const level = (ilvl: number, text: string, font: string) =>
      `<w:lvl w:ilvl="${ilvl}"><w:numFmt w:val="bullet"/><w:lvlText w:val="${text}"/><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr></w:lvl>`;
    const parts = {
      'word/numbering.xml': `<w:numbering ${W_NAMESPACES}><w:abstractNum w:abstractNumId="1">${level(0, '☐', 'Segoe UI Symbol')}${level(1, '\uf0fe', 'Wingdings')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    };
    const item = (ilvl: number) => `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="1"/></w:numPr>`;
    const body = p('milk', item(0)) + p('oat', item(1)) + p('bread', item(0));
    expect(await markdownOf(handMade(body, parts))).toBe('- [ ] milk\n  - [x] oat\n- [ ] bread');
  });

  it('leaves a line of several choices one paragraph, and a sign within a sentence a sign', async () => {
    const body = p('☐ yes ☒ no') + p('Mark it with ☒ if it applies.');
    expect(await markdownOf(handMade(body))).toBe('[ ] yes [x] no\n\nMark it with ☒ if it applies.');
  });

  it('makes no lists of the boxes in a table', async () => {
    const cell = (children: Paragraph[]) => new TableCell({ children });
    const bytes = await written([
      new Table({
        rows: [
          new TableRow({ children: [cell([new Paragraph('Check')]), cell([new Paragraph('Done')])] }),
          new TableRow({ children: [cell([box(false, 'fuse')]), cell([new Paragraph('☒')])] }),
        ],
      }),
    ]);
    expect(await markdownOf(bytes)).toBe('| Check | Done |\n| --- | --- |\n| [ ] fuse | [x] |');
  });
});

describe('further paragraphs of an item', () => {
  it('stay in the item that they are set in like, the outer one too', async () => {
    const indented = (text: string, left: number) => new Paragraph({ text, indent: { left } });
    const bytes = await written(
      [
        new Paragraph({ text: 'Install', ...listed(0) }),
        new Paragraph({ text: 'bolts', ...listed(1) }),
        indented('Four of them.', 1440),
        indented('Then call us.', 720),
        new Paragraph({ text: 'Test', ...listed(0) }),
        new Paragraph('The end.'),
      ],
      { numbering },
    );
    expect(await markdownOf(bytes)).toBe(
      '1. Install\n   - bolts\n\n     Four of them.\n\n   Then call us.\n2. Test\n\nThe end.',
    );
  });
});

describe('drop caps', () => {
  const cap = (letter: string, kind = 'drop') =>
    p(letter, `<w:framePr w:dropCap="${kind}" w:lines="3" w:wrap="around"/>`, '<w:b/><w:sz w:val="120"/>');

  it('are the first letter of their word', async () => {
    const body = cap('O') + p('nce upon a time.') + cap('T', 'margin') + p('he end.', '', '<w:i/>');
    expect(await markdownOf(handMade(body))).toBe('Once upon a time.\n\n*The end.*');
  });

  it('leave a frame of another kind alone', async () => {
    const body = p('A', '<w:framePr w:wrap="around"/>') + p('text.');
    expect(await markdownOf(handMade(body))).toBe('A\n\ntext.');
  });
});
