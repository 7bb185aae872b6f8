import { describe, expect, it } from 'vitest';
import { ConversionError } from '../../../../src/documents/formats/converted.ts';
import { convertCsv } from '../../../../src/documents/formats/csv/convert.ts';

const MOST = 32_000_000;
const convert = (text: string | Buffer) => convertCsv(Buffer.from(text), MOST);
const rows = (text: string | Buffer) => convert(text).markdown.trimEnd().split('\n');

const TABLE = [
  '| name | city | rate |',
  '| --- | --- | --- |',
  '| Ada | Bonn, old | 1,5 |',
  '| Bo | Köln | 2,25 |',
];

describe('convertCsv: what delimits cells', () => {
  it.each([
    ['commas', 'name,city,rate\nAda,"Bonn, old","1,5"\nBo,Köln,"2,25"\n'],
    ['semicolons, with decimal commas', 'name;city;rate\nAda;Bonn, old;1,5\nBo;Köln;2,25\n'],
    ['tabs', 'name\tcity\trate\nAda\tBonn, old\t1,5\nBo\tKöln\t2,25'],
    ['bars', 'name|city|rate\nAda|Bonn, old|1,5\nBo|Köln|2,25'],
    ['CRLF', 'name,city,rate\r\nAda,"Bonn, old","1,5"\r\nBo,Köln,"2,25"\r\n'],
    ['CR alone', 'name,city,rate\rAda,"Bonn, old","1,5"\rBo,Köln,"2,25"'],
    ["Excel's first line", 'sep=;\r\nname;city;rate\r\nAda;Bonn, old;1,5\r\nBo;Köln;2,25'],
    ['a delimiter that only that line can tell', '"sep=^"\nname^city^rate\nAda^Bonn, old^1,5\nBo^Köln^2,25'],
    [
      'spaces around quotes and empty rows',
      '\nname, city , rate\n,,\nAda, "Bonn, old" ,"1,5" \n\nBo,Köln,"2,25"\n,,\n',
    ],
  ])('reads %s', (_, text) => {
    expect(rows(text)).toEqual(TABLE);
    expect(convert(text).fidelity).toEqual({
      score: 1,
      counts: { tables: { source: 1, result: 1 }, rows: { source: 2, result: 2 } },
      losses: [],
    });
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffname;city;rate\nAda;Bonn, old;1,5\nBo;Köln;2,25')],
    ['UTF-16', Buffer.from('\ufeffname;city;rate\nAda;Bonn, old;1,5\nBo;Köln;2,25', 'utf16le')],
    ['Windows-1252', Buffer.from('name;city;rate\nAda;Bonn, old;1,5\nBo;Köln;2,25', 'latin1')],
    ['NULs in it', Buffer.from('na\0me;city;rate\nAda;Bonn, old;1,5\nBo;Köln\0;2,25')],
  ])('reads %s', (_, bytes) => {
    expect(rows(bytes)).toEqual(TABLE);
  });

  it('takes decimal commas for no delimiter where there is no header either', () => {
    expect(rows('1,5;2,25\n3,5;4,75')).toContain('| 1,5 | 2,25 |');
  });

  it('takes a single column as it comes', () => {
    expect(rows('name\nAda\nBo')).toEqual(['| name |', '| --- |', '| Ada |', '| Bo |']);
  });
});

describe('convertCsv: cells', () => {
  it.each([
    ['doubled quotes', '"say ""hi"""', 'say "hi"'],
    ['quotes that are not doubled', '"5" disk"', '5" disk'],
    ['a quote inside', 'a "b" c', 'a "b" c'],
    ['a delimiter in quotes', '"a,b"', 'a,b'],
    ['lines in quotes', '"one \r\n\r\n two"', 'one<br>two'],
    ['bars', 'a|b||', 'a\\|b\\|\\|'],
    ['a bar behind a backslash', 'a\\|b\\', 'a\\\\|b\\'],
    ['a formula', "=cmd|'/c calc'!A0", "=cmd\\|'/c calc'!A0"],
    ['a divider', '---', '---'],
    ['control characters', 'a\u0007\tb', 'a b'],
    ['Markdown and HTML', '# *a* <b>', '# *a* <b>'],
    ['an empty quoted cell', '""', ''],
  ])('keeps %s', (_, cell, shown) => {
    expect(rows(`name,note,end\nAda,${cell},x\nBo,y,z`)[2]).toBe(`| Ada | ${shown} | x |`);
  });
});

describe('convertCsv: the header', () => {
  it.each([
    ['words over numbers', 'id,name\n1,Ada\n2,Bo', '| id | name |'],
    ['words over words', 'name,city\nAda,Bonn', '| name | city |'],
    [
      'years over other numbers',
      'Region,2023,2024\nNorth,1200,1300\nSouth,900,950',
      '| Region | 2023 | 2024 |',
    ],
    ['nothing below', 'name,city', '| name | city |'],
    ['empty and repeated names', ',a,a,"a (2)",\n1,2,3,4,', '| Column 1 | a | a (2) | a (2) (2) |'],
  ])('is found: %s', (_, text, header) => {
    expect(rows(text)[0]).toBe(header);
  });

  it.each([
    ['numbers over numbers', 'Ada,42\nBo,37'],
    ['dates over dates', '2024-01-01,North\n2024-01-02,South'],
    ['years over years', 'Ada,2019\nBo,2020'],
    ['a word that comes again', 'North,Ada\nSouth,Bo\nNorth,Cy'],
    ['a single row with a number', 'Ada,42'],
  ])('is made up: %s', (_, text) => {
    const [header, , first] = rows(text);
    expect(header).toBe('| Column 1 | Column 2 |');
    expect(first).toBe(`| ${text.split('\n')[0]?.replace(',', ' | ')} |`);
  });

  it('stands below titles and comments, which are kept', () => {
    const text = '# exported by Anna\nSales | 2024,,\n\nname,city,rate\nAda,Bonn,1\nBo,Köln,2';
    expect(rows(text).slice(0, 4)).toEqual([
      '# exported by Anna',
      'Sales \\| 2024',
      '',
      '| name | city | rate |',
    ]);
  });
});

describe('convertCsv: broken tables', () => {
  it('fills short rows up, gives long ones columns, and says so', () => {
    const { markdown, fidelity } = convert('a,b\n1,2\n3\n4,5,6\n7,8,,,\n');
    expect(markdown).toBe(
      '| a | b | Column 3 |\n| --- | --- | --- |\n| 1 | 2 |  |\n| 3 |  |  |\n| 4 | 5 | 6 |\n| 7 | 8 |  |\n',
    );
    expect(fidelity.score).toBe(0.95);
    expect(fidelity.losses).toEqual([
      { kind: 'ragged_row', count: 2, detail: expect.stringMatching(/^Row 2 is the first/) },
    ]);
  });

  it('reads on behind a quote that is closed nowhere, and says so', () => {
    const { markdown, fidelity } = convert('a,b\n"x, y",1\n"open,2\nz,3\n');
    expect(markdown.split('\n').slice(2, 5)).toEqual(['| x, y | 1 |', '| "open | 2 |', '| z | 3 |']);
    expect(fidelity).toMatchObject({ score: 0.9, losses: [{ kind: 'open_quote', count: 1 }] });
    expect(fidelity.losses[0]?.detail).toContain('line 3');
  });

  it.each([
    ['nothing', '', 'no_text'],
    ['nothing but delimiters', ',,,\n,,\n', 'no_text'],
    ['a picture', Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 37) % 256)), 'unreadable_text'],
  ])('refuses %s', (_, content, code) => {
    expect(() => convert(content)).toThrow(expect.objectContaining({ code }));
    expect(() => convert(content)).toThrow(ConversionError);
  });
});

describe('convertCsv: long rows', () => {
  const note = 'It came late. '.repeat(40).trim();

  it('become records, which name each value and leave out empty ones', () => {
    const text = `key,owner,note\nFIN-1,,"First | line.\n\n- second ""line""\n${note}"\nFIN-2,Ada,${note}\n`;
    expect(convert(text).markdown).toBe(
      `Columns: key | owner | note\n\nkey: FIN-1\n- note: First | line.\n  - second "line"\n  ${note}\n\n` +
        `key: FIN-2\n- owner: Ada\n- note: ${note}\n`,
    );
  });

  it('become records for a long header too', () => {
    const names = Array.from({ length: 60 }, (_, i) => `Field ${i}`);
    const { markdown } = convert(`${names.join(',')}\n${'x,'.repeat(59)}x\n`);
    expect(markdown).toMatch(/^Columns: Field 0 \| .*\n\nField 0: x\n- Field 1: x\n/);
  });
});
