import { describe, expect, it } from 'vitest';
import { spellingsAsked, spellingsIn } from '../../src/text/spellings.ts';

const DAY = '@2025-03-03';

describe('spellingsIn', () => {
  it.each([
    '3 March 2025',
    'March 3, 2025',
    'March 3rd, 2025',
    'the 3rd of March 2025',
    'Mar 3 2025',
    '2025-03-03',
    '2025/3/3',
    '03.03.2025',
    '3/3/2025',
    'am 3. März 2025',
    'le 3 mars 2025',
    'el 3 de marzo de 2025',
    '3 марта 2025',
    'due 2025-03-03T10:00:00Z',
  ])('has one term for a day, however it is written: %s', (text) => {
    expect(spellingsIn(text, null)).toEqual(expect.arrayContaining([DAY, '@2025-03', '@--03-03']));
  });

  it('has both readings where a slash leaves them open, and the one that there is', () => {
    expect(spellingsIn('03/04/2025', null)).toEqual(expect.arrayContaining(['@2025-04-03', '@2025-03-04']));
    expect(spellingsIn('25/04/2025', null)).toContain('@2025-04-25');
    expect(spellingsIn('25/04/2025', null)).not.toContain('@2025-25-04');
    expect(spellingsIn('03.04.2025', null)).not.toContain('@2025-03-04');
  });

  it('has terms of a month, and of a day without its year', () => {
    expect(spellingsIn('in March 2025', null)).toEqual(['@2025-03']);
    expect(spellingsIn('on March 3', null)).toEqual(['@--03-03']);
  });

  it.each([
    'v2.3.1',
    '10.0.0.1',
    '12:30:45',
    '3 people may 2 times',
    'PROJ-2025-03',
    '1,250.50',
    '99/99/2025',
  ])('takes nothing else for a date: %s', (text) => {
    expect(
      spellingsIn(text, null).filter((term) => term.startsWith('@') && !term.startsWith('@--05')),
    ).toEqual([]);
  });

  it('has the digits of a number that is set in groups, as its language sets them', () => {
    expect(spellingsIn('1 500 and 10k', null)).toEqual(['1500', '10000']);
    expect(spellingsIn('1.500 Euro', 'de')).toEqual(['1500']);
    expect(spellingsIn('1.500 seconds', null)).toEqual([]);
    expect(spellingsIn('1.500,50 und 1,5', 'de')).toEqual(['1500.50', '1.5']);
  });

  it('takes no more than 30 digits for a number', () => {
    const groups = (count: number, mark: string) => Array.from({ length: count }, () => '482').join(mark);
    expect(spellingsIn(groups(10, ' '), null)).toEqual(['482'.repeat(10)]);
    expect(spellingsIn(groups(11, ' '), null)).toEqual([]);
    expect(spellingsIn(groups(10, '.'), 'de')).toEqual(['482'.repeat(10)]);
    expect(spellingsIn(`${groups(10, '.')},5`, 'de')).toEqual([]);
    expect(spellingsIn(`${'1'.repeat(30)},5`, 'de')).toEqual([]);
    expect(spellingsIn(`${'9'.repeat(30)}k`, null)).toEqual([]);
    expect(spellingsAsked(groups(11, ' '), null)).toEqual([]);
  });

  it('takes no time for a page of digits', () => {
    expect(spellingsIn('1 '.repeat(20_000), null)).toEqual([]);
    expect(spellingsIn('1'.repeat(40_000), null)).toEqual([]);
  });
});

describe('spellingsAsked', () => {
  it('asks for the most exact alone', () => {
    expect(spellingsAsked('What was due on 3 March 2025?', null)).toEqual([DAY]);
    expect(spellingsAsked('What happened in March 2025?', null)).toEqual(['@2025-03']);
  });
});
