import { describe, expect, it } from 'vitest';
import { convertCsv } from '../../../../src/documents/formats/csv/convert.ts';

const MOST = 32_000_000;
const convert = (text: string, most = MOST) => convertCsv(Buffer.from(text), most).markdown;

// In more than linear time each of these would take minutes.
describe('convertCsv on hostile input', () => {
  it.each([
    ['nothing but quotes', '"'.repeat(500_001)],
    ['quotes that close nothing', '"a"b'.repeat(100_000)],
    ['quotes that close nothing before many spaces', `"${'"x'.repeat(100_000)}${' '.repeat(200_000)}\n`],
    ['a quote on every line', '"x\n'.repeat(100_000)],
    ['an empty quotation on every line', '"\n'.repeat(100_001)],
    ['spaces and quotes', '" "'.repeat(100_000)],
  ])('reads %s', (_, text) => {
    expect(convert(`a,b\n${text}`)).toMatch(/^(?:\| a \| b|Columns: a \| b)/);
  });

  it('reads a single cell of 10 MB', () => {
    expect(convert(`a,b\n1,${'x'.repeat(10_000_000)}`)).toHaveLength(10_000_027);
    expect(convert(`a,b\n1,"${'x\n'.repeat(100_000)}`)).toContain('| "x |');
  });

  it('reads 100,000 columns, and refuses more', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(',');
    expect(convert(`${names}\n${'1,'.repeat(99_999)}1`)).toContain('\n- c99999: 1\n');
    expect(convert(`${'a,'.repeat(99_999)}a\n`)).toContain('| a (100000)');
    expect(() => convert('x,'.repeat(200_000))).toThrow(expect.objectContaining({ code: 'wrong_content' }));
  });

  it('stops when it has more than can be stored', () => {
    const long = `${'a,'.repeat(80)}a\n${'1\n'.repeat(100_000)}`;
    expect(convert(long, 50_000).length).toBeLessThan(60_000);
    expect(convert(`${'h'.repeat(100_000)},b\n${'1,2\n'.repeat(10_000)}`).length).toBeLessThan(1_000_000);
  });

  it('knows names that every object has', () => {
    expect(convert('__proto__,constructor\n1,2\n')).toBe(
      '| __proto__ | constructor |\n| --- | --- |\n| 1 | 2 |\n',
    );
  });
});
