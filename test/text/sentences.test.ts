import { describe, expect, it } from 'vitest';
import { sentenceStarts } from '../../src/text/sentences.ts';

const sentences = (text: string, start = 0, end = text.length) =>
  sentenceStarts(text, start, end).map((at, i, all) => text.slice(at, all[i + 1] ?? end));

describe('sentenceStarts', () => {
  it('gives the space before a sentence to it', () => {
    expect(sentences('One is here. Two is there! Three?')).toEqual([
      'One is here.',
      ' Two is there!',
      ' Three?',
    ]);
  });

  it('does not take a line end for the end of a sentence', () => {
    expect(sentences('A sentence\nover two lines. Another\r\none.')).toEqual([
      'A sentence\nover two lines.',
      ' Another\r\none.',
    ]);
  });

  it('knows languages without spaces', () => {
    expect(sentences('これは文です。次の文です。')).toEqual(['これは文です。', '次の文です。']);
  });

  it('stays inside its range', () => {
    expect(sentences('Before. One. Two. After.', 8, 17)).toEqual(['One.', ' Two.']);
  });

  it('finds in a long text what it finds in a short one', () => {
    const one = 'Here is a sentence of some length, and it ends now. ';
    expect(sentences(one.repeat(400))).toHaveLength(400);
    const long = `${'word '.repeat(2_000)}end. Next.`;
    expect(sentences(long)).toEqual([`${'word '.repeat(2_000)}end.`, ' Next.']);
  });
});
