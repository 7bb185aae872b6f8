import { Paragraph, Table, TableCell, TableRow } from 'docx';
import { describe, expect, it } from 'vitest';
import { handMade, markdownOf, p, written } from './word.ts';

const cell = (content: string | Paragraph[], options = {}) =>
  new TableCell({ children: typeof content === 'string' ? [new Paragraph(content)] : content, ...options });

describe('headers of tables', () => {
  const list = ['a', 'b'].map((text) => new Paragraph({ text, bullet: { level: 0 } }));
  const row = (cells: TableCell[], options = {}) => new TableRow({ children: cells, ...options });

  it('are rows of header cells where the table is written as HTML', async () => {
    const bytes = await written([
      new Table({
        rows: [
          row([cell('Part', { rowSpan: 2 }), cell('Stock', { columnSpan: 2 })], { tableHeader: true }),
          row([cell('here'), cell('there')]),
          row([cell('Bolt'), cell('12'), cell(list)]),
        ],
      }),
    ]);
    expect(await markdownOf(bytes)).toBe(
      '<table>\n<tr><th rowspan="2">Part</th><th colspan="2">Stock</th></tr>\n<tr><th>here</th><th>there</th></tr>\n' +
        '<tr><td>Bolt</td><td>12</td><td><ul><li>a</li><li>b</li></ul></td></tr>\n</table>',
    );
  });

  it('are the first row where the style of the table sets it apart', async () => {
    const styles = (conditional: string) =>
      `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="table" w:styleId="Grid">${conditional}</w:style><w:style w:type="table" w:styleId="Own"><w:basedOn w:val="Grid"/></w:style></w:styles>`;
    const table = (look: string) =>
      `<w:tbl><w:tblPr><w:tblStyle w:val="Own"/><w:tblLook ${look}/></w:tblPr><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${p('Stock')}</w:tc></w:tr><w:tr><w:tc>${p('Bolt')}</w:tc><w:tc>${p('12')}</w:tc></w:tr></w:tbl>`;
    const firstRow = '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr>';
    const markdown = (look: string, conditional: string) =>
      markdownOf(handMade(table(look), { 'word/styles.xml': styles(conditional) }));
    const first = (tag: string) =>
      `<table>\n<tr><${tag} colspan="2">Stock</${tag}></tr>\n<tr><td>Bolt</td><td>12</td></tr>\n</table>`;
    expect(await markdown('w:firstRow="1"', firstRow)).toBe(first('th'));
    expect(await markdown('w:val="04A0"', firstRow)).toBe(first('th'));
    expect(await markdown('w:val="04A0" w:firstRow="0"', firstRow)).toBe(first('td'));
    expect(await markdown('w:firstRow="1"', '')).toBe(first('td'));
  });
});
