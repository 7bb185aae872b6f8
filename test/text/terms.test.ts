import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseText } from '../../src/text/terms.ts';

describe('analyseText', () => {
  it('gives words in order, folded and stemmed, as often as they occur', () => {
    expect(analyseText('Customers churned; the CUSTOMER churns.')).toEqual([
      'custom',
      'churn',
      'the',
      'custom',
      'churn',
    ]);
  });

  it.each([
    ['PROJ-1234', ['proj1234', 'proj', '1234']],
    ['v2.3.1', ['v2.3.1', 'v2', '3', '1']],
    ['Q3-2024', ['q3-2024', 'q3', '2024']],
    ['1,250.50', ['1250.50', '1', '250', '50']],
    ['getUserName', ['getusernam', 'get', 'user', 'name']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['snake_case_name', ['snakecasenam', 'snake', 'case', 'name']],
    ['docs.example.com', ['docsexamplecom', 'doc', 'exampl', 'com']],
  ])('keeps %s whole and in parts', (text, terms) => {
    expect(analyseText(text)).toEqual(terms);
  });

  it('finds a word whether it is written with a hyphen or without', () => {
    expect(analyseText('e-mails')).toContain('email');
    expect(analyseText('email')).toEqual(['email']);
  });

  it('tells numbers apart by their marks', () => {
    expect(analyseText('2.31')).not.toContain('23.1');
    expect(analyseText('23.1')).toContain('23.1');
  });

  it('drops possessives and elisions', () => {
    expect(analyseText("the team's")).toEqual(['the', 'team']);
    expect(analyseText('l’avion qu’elle')).toEqual(['avion', 'ell']);
    expect(analyseText("don't")).toEqual(['dont', 'don']);
  });

  it('folds Latin accents, full-width letters and ligatures, but no letters of other scripts', () => {
    expect(analyseText('Résumé')).toEqual(analyseText('resume'));
    expect(analyseText('ＡＰＩ ﬁle')).toEqual(['api', 'file']);
    expect(analyseText('йод')).toEqual(['йод']);
  });

  it('folds what is typed in two ways: ß, ё, the accents and the last sigma of Greek', () => {
    expect(analyseText('Straße STRASSE')).toEqual(['strass', 'strass']);
    expect(analyseText('ещё Ещё')).toEqual(['еще', 'еще']);
    expect(analyseText('Λόγος ΛΟΓΟΣ')).toEqual(['λογοσ', 'λογοσ']);
  });

  it.each([
    ['de', 'Häuser Haus Häusern', ['haus', 'haus', 'haus']],
    ['de', 'Die Genehmigungen wurden genehmigt', ['die', 'genehm', 'wurd', 'genehmigt']],
    ['es', 'organizaciones', ['organiz']],
    ['es', 'organización', ['organiz', 'organizacion']],
    ['fr', 'sécurité', ['secur', 'securit']],
    ['ru', 'договоры договора', ['договор', 'договор']],
  ] as const)('stems %s: %s', (language, text, terms) => {
    expect(analyseText(text, language)).toEqual(terms);
  });

  it('stems no word of a language that has a digit', () => {
    expect(analyseText('PROJ-12 Q3s', 'de')).toEqual(['proj12', 'proj', '12', 'q3s']);
  });

  it('gives scripts without spaces as overlapping pairs of characters', () => {
    expect(analyseText('東京都庁')).toEqual(['東京', '京都', '都庁']);
    expect(analyseText('API仕様')).toEqual(['仕様', 'api']);
    expect(analyseText('猫')).toEqual(['猫']);
  });

  it('cuts what is longer than 64 characters, never inside a character', () => {
    const astral = `a${'𝒳'.repeat(80)}`.normalize('NFC');
    for (const term of [...analyseText('x'.repeat(500)), ...analyseText(astral)]) {
      expect(term.length).toBeLessThanOrEqual(64);
      expect(term.isWellFormed()).toBe(true);
    }
  });

  it('gives storable terms of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const terms = analyseText(`${text}\0${text}`);
        expect(terms.filter((term) => !/^[^\s\0]{1,64}$/u.test(term) || !term.isWellFormed())).toEqual([]);
      }),
    );
  });
});
