import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseQuery, analyseText } from '../../src/text/terms.ts';

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

  it('drops possessives and the crumbs of elisions', () => {
    expect(analyseText("the team's")).toEqual(['the', 'team']);
    expect(analyseText('l’avion')).toEqual(['lavion', 'avion']);
  });

  it('folds Latin accents, full-width letters and ligatures, but no letters of other scripts', () => {
    expect(analyseText('Résumé')).toEqual(analyseText('resume'));
    expect(analyseText('ＡＰＩ ﬁle')).toEqual(['api', 'file']);
    expect(analyseText('йод')).toEqual(['йод']);
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
        for (const term of analyseText(`${text}\0${text}`)) {
          expect(term).toMatch(/^[^\s\0]{1,64}$/u);
          expect(term.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('analyseQuery', () => {
  it('asks for the telling words only, and counts them', () => {
    expect(analyseQuery('What is the budget of the Budget team?')).toEqual(
      new Map([
        ['budget', 2],
        ['team', 1],
      ]),
    );
  });

  it('asks for stop words when there is nothing else', () => {
    expect([...analyseQuery('to be or not to be').keys()]).toEqual(['to', 'be', 'or', 'not']);
  });

  it('asks for nothing when there are no words', () => {
    expect(analyseQuery('?! …').size).toBe(0);
  });

  it('is bounded for a pasted page', () => {
    const page = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ');
    expect(analyseQuery(page).size).toBe(256);
  });
});
