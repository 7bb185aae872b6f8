import { describe, expect, it } from 'vitest';
import { parseXml } from '../../../../../src/documents/formats/docx/package/xml.ts';
import { formatNumber } from '../../../../../src/documents/formats/docx/rewrite/number-format.ts';
import { readNumbering } from '../../../../../src/documents/formats/docx/rewrite/numbering.ts';

const level = (index: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;
const read = (levels: string, nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>') =>
  readNumbering(
    parseXml(
      `<w:numbering><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${nums}</w:numbering>`,
    ),
    () => undefined,
  );

describe('readNumbering', () => {
  it('counts levels, and inner ones anew under each outer one', () => {
    const numbering = read(level(0, 'upperRoman', '%1.') + level(1, 'decimal', '%1.%2'));
    const labels = [0, 1, 1, 0, 1].map((at) => numbering.next('1', at)?.label);
    expect(labels).toEqual(['I.', 'I.1', 'I.2', 'II.', 'II.1']);
  });

  it('writes outer numbers as decimals in a legal label, and goes on where told never to restart', () => {
    const numbering = read(
      level(0, 'upperRoman', 'Article %1') +
        level(1, 'lowerLetter', '%1(%2)', '<w:isLgl/><w:lvlRestart w:val="0"/>'),
    );
    const labels = [0, 1, 0, 1].map((at) => numbering.next('1', at)?.label);
    expect(labels).toEqual(['Article I', '1(1)', 'Article II', '2(2)']);
  });

  it('shares the count between lists of one definition, and restarts where a list says so', () => {
    const numbering = read(
      level(0, 'decimal', '%1.'),
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>' +
        '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>',
    );
    expect(['1', '2', '3', '3', '1'].map((id) => numbering.next(id, 0)?.number)).toEqual([1, 2, 7, 8, 9]);
  });

  it('tells bullets and plain numbers from labels that carry more', () => {
    const numbering = read(
      level(0, 'bullet', '') + level(1, 'decimal', '(%2)') + level(2, 'decimal', '%1.%3'),
    );
    expect(numbering.next('1', 0)).toMatchObject({ ordered: false, label: '' });
    expect(numbering.next('1', 1)).toMatchObject({ ordered: true, simple: true, label: '(1)' });
    expect(numbering.next('1', 2)).toMatchObject({ simple: false });
    expect(numbering.next('9', 0)).toBeUndefined();
  });
});

describe('formatNumber', () => {
  it.each([
    [4, 'lowerRoman', 'iv'],
    [1999, 'upperRoman', 'MCMXCIX'],
    [28, 'lowerLetter', 'bb'],
    [7, 'decimalZero', '07'],
    [3, 'chineseCounting', '3'],
    [3, 'none', ''],
  ])('writes %i as %s', (value, format, text) => expect(formatNumber(value, format)).toBe(text));
});
