import { describe, expect, it } from 'vitest';
import { fidelityOf, lossesOf, markdownOf } from './page.ts';

describe('tables', () => {
  it('are written in GFM, with their caption in front', () => {
    const html =
      '<table><caption>Spares</caption><thead><tr><th>Part<th>Left</thead><tbody><tr><td>Bolt | M8<td>12<br>13<tr><td>1. Hook</table>';
    expect(markdownOf(html)).toBe(
      'Spares\n\n| Part | Left |\n| --- | --- |\n| Bolt \\| M8 | 12<br>13 |\n| 1. Hook |  |',
    );
    expect(fidelityOf(html)).toMatchObject({ score: 1, counts: { tables: { source: 1, result: 1 } } });
  });

  it('need no <thead> for their header, and no header', () => {
    expect(markdownOf('<table><tr><th>A<th>B<tr><td>1<td>2</table>')).toBe(
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    );
    expect(markdownOf('<table><tr><td>1<td>2</table>')).toBe('| 1 | 2 |\n| --- | --- |');
  });

  it('stay HTML where GFM cannot say what they say', () => {
    const html =
      '<table onclick="x()"><tr><th colspan="2" style="color:red">A &amp; B<tr><td rowspan="1">1<td><ul><li>a<li><a href="javascript:x">b</a></ul></table>';
    expect(markdownOf(html)).toBe(
      '<table>\n<tr><th colspan="2">A &amp; B</th></tr>\n<tr><td>1</td><td><ul><li>a</li><li>b</li></ul></td></tr>\n</table>',
    );
    expect(fidelityOf(html).counts.tables).toEqual({ source: 1, result: 1 });
  });

  it('drop rows without anything, and are dropped without rows', () => {
    expect(markdownOf('<table><tr><td>a<td>b<tr><td> <td></table><table><tr><td><td></table>c')).toBe(
      '| a | b |\n| --- | --- |\n\nc',
    );
  });
});

describe('tables that arrange the page', () => {
  it('become text, and the tables in them stay tables', () => {
    const html = '<table><tr><td><h2>Left</h2><p>text<td><table><tr><th>A<th>B<tr><td>1<td>2</table></table>';
    expect(markdownOf(html)).toBe('## Left\n\ntext\n\n| A | B |\n| --- | --- |\n| 1 | 2 |');
    expect(lossesOf(html)).toEqual({ layout: 1 });
  });

  it.each([
    ['one cell', '<table><tr><td>a</table>'],
    ['one column without a header', '<table><tr><td>a<tr><td>b</table>'],
    ['a role that says so', '<table role="presentation"><tr><td>a<td>b</table>'],
  ])('are known by %s', (_, html) => expect(markdownOf(html)).toMatch(/^a(\n\nb)?$/));

  it('are none where a column has a header', () => {
    expect(markdownOf('<table><tr><th>Name<tr><td>a<tr><td>b</table>')).toBe(
      '| Name |\n| --- |\n| a |\n| b |',
    );
  });
});
