import { describe, expect, it } from 'vitest';
import { punctuationBoundaries } from '../../../src/documents/chunking/punctuation-boundaries.ts';

const parts = (text: string): string[] => {
  const starts = punctuationBoundaries(text, 0, text.length);
  return starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length));
};

describe('stopStarts', () => {
  it('parts what a full stop ends, whatever follows', () => {
    expect(parts('costs rose. 2014 was better. (see "a.") the end.')).toEqual([
      'costs rose. ',
      '2014 was better. ',
      '(see "a.") ',
      'the end.',
    ]);
  });

  it('parts lines, blank ones with the line before', () => {
    expect(parts('net revenue | 231\r\nvolume | 15.5\n\n\nrider | 3.9\n')).toEqual([
      'net revenue | 231\r\n',
      'volume | 15.5\n\n\n',
      'rider | 3.9\n',
    ]);
  });

  it('looks at its range only, and leaves numbers and names whole', () => {
    expect(punctuationBoundaries('a. b. c.d 1.5', 3, 13)).toEqual([3, 6]);
  });

  it('takes time in proportion to the length', () => {
    for (const hostile of ['.', '."', '\n', ' ', '. ']) {
      expect(parts(hostile.repeat(200_000)).join('')).toHaveLength(hostile.length * 200_000);
    }
  });
});
