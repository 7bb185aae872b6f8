import { describe, expect, it } from 'vitest';
import { convertDocx } from '../../../../src/documents/formats/docx/convert.ts';
import { handMade, markdownOf, p, relationships } from './word.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const level = (index: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>` +
  `<w:pPr><w:ind w:left="${720 * (index + 1)}" w:hanging="360"/></w:pPr></w:lvl>`;
const list = (id: number, levels: string) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`;
const PARTS = {
  'word/_rels/document.xml.rels': relationships({
    n: ['numbering', 'numbering.xml'],
    s: ['styles', 'styles.xml'],
  }),
  'word/numbering.xml':
    `<w:numbering ${W}>${list(1, level(0, 'decimal', '%1.') + level(1, 'decimal', '%2.'))}` +
    `${list(2, level(0, 'bullet', '•') + level(1, 'bullet', '•'))}` +
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num></w:numbering>',
  'word/styles.xml':
    `<w:styles ${W}><w:style w:type="paragraph" w:styleId="Deep"><w:name w:val="Deep"/>` +
    '<w:pPr><w:ind w:left="1000"/></w:pPr></w:style>' +
    '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>' +
    '<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>' +
    '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
};
const word = (body: string) => handMade(body, PARTS);
const indent = (left: number, rest = '') => `<w:ind w:left="${left}"${rest}/>`;
const numbered = (id: number, at = 0) => `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`;
const plain = Array.from({ length: 4 }, (_, index) => p(`Text ${index}.`)).join('');

describe('a paragraph that is set in', () => {
  it('is a quotation', async () => {
    const body = `${p('They said:')}${p('We left.', indent(720))}${p('Both of us.', indent(720))}${p('So it was.')}`;
    expect(await markdownOf(word(body))).toBe('They said:\n\n> We left.\n>\n> Both of us.\n\nSo it was.');
  });

  it('is none where its style sets it in as far', async () => {
    const body = p('Deep.', `<w:pStyle w:val="Deep"/>${indent(1_000)}`) + plain;
    expect(await markdownOf(word(body))).not.toContain('>');
  });

  it('is none where a hanging label, a place far to the right or little space sets it in', async () => {
    const label = p('Note: a label.', indent(720, ' w:hanging="720"'));
    const signature = p('Yours', indent(5_000));
    const little = p('Almost.', indent(100));
    expect(await markdownOf(word(label + signature + little + plain))).not.toContain('>');
  });

  it('is none where a document sets much of its text in', async () => {
    const body = Array.from({ length: 4 }, (_, index) => p(`Set in ${index}.`, indent(720))).join('');
    expect(await markdownOf(word(body + plain))).not.toContain('>');
  });

  it('goes on with the item before it if it begins where the text of that begins', async () => {
    const items = p('One', numbered(2)) + p('More of one.', indent(720)) + p('Two', numbered(2));
    expect(await markdownOf(word(items))).toBe('- One\n\n  More of one.\n- Two');
    const inner = p('One', numbered(1)) + p('Inner', numbered(1, 1)) + p('More.', indent(1_440));
    expect(await markdownOf(word(inner))).toBe('1. One\n   1. Inner\n\n      More.');
    const less = p('One', numbered(1)) + p('Quoted.', indent(360)) + p('Two', numbered(1));
    expect(await markdownOf(word(less))).toBe('1. One\n\n> Quoted.\n\n2. Two');
  });
});

describe('an item without text', () => {
  it('stays where others are nested in it, and is counted', async () => {
    const body = p('', numbered(1)) + p('a', numbered(1, 1)) + p('b', numbered(1, 1)) + p('Two', numbered(1));
    const { markdown, fidelity } = await convertDocx(word(body));
    expect(markdown).toBe('1. 1. a\n   2. b\n2. Two\n');
    expect(fidelity.counts.list_items).toEqual({ source: 4, result: 4 });
    expect(await markdownOf(word(p('', numbered(2)) + p('a', numbered(2, 1))))).toBe('- - a');
  });

  it('has the text that is set in below it', async () => {
    const body =
      p('One', numbered(1)) + p('', numbered(1)) + p('Below.', indent(720)) + p('Three', numbered(1));
    const { markdown, fidelity } = await convertDocx(word(body));
    expect(markdown).toBe('1. One\n2. Below.\n3. Three\n');
    expect(fidelity.counts.list_items).toEqual({ source: 3, result: 3 });
  });

  it('is left out where nothing is, though its number counts', async () => {
    const body = p('One', numbered(1)) + p('', numbered(1)) + p('Three', numbered(1)) + p('', numbered(1));
    expect(await markdownOf(word(body))).toBe('1. One\n3) Three');
  });
});

describe('the title of a table of contents', () => {
  const contents = (title: string) =>
    p(title, '<w:pStyle w:val="Title"/>') + p('Scope 1', '<w:pStyle w:val="TOC1"/>');
  const heading = p('Scope', '<w:pStyle w:val="H1"/>');

  it('is no heading, while the title of the document is', async () => {
    const markdown = await markdownOf(
      word(p('Report', '<w:pStyle w:val="Title"/>') + p('A text.') + contents('Contents') + heading),
    );
    expect(markdown).toBe('# Report\n\nA text.\n\nContents\n\nScope 1\n\n# Scope');
  });

  it('is a heading where more than the table stands under it', async () => {
    const markdown = await markdownOf(word(contents('Report') + plain + heading));
    expect(markdown).toMatch(/^# Report\n/);
  });
});
