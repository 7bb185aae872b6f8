import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atMarkers, pieces } from '../../inspect/highlight.js';

const marked = (...given: Parameters<typeof pieces>) =>
  pieces(...given).map(({ text, marks }) => [text, marks]);

describe('a text with ranges', () => {
  it('is cut where ranges begin and end, overlapping ones too', () => {
    const ranges = [
      { start: 2, end: 6 },
      { start: 4, end: 8 },
    ];
    expect(marked('0123456789', ranges)).toEqual([
      ['01', []],
      ['23', [0]],
      ['45', [0, 1]],
      ['67', [1]],
      ['89', []],
    ]);
  });

  it('counts UTF-16 code units, and parts no character', () => {
    expect(marked('a🙂b', [{ start: 1, end: 3 }])).toEqual([
      ['a', []],
      ['🙂', [0]],
      ['b', []],
    ]);
    expect(marked('a🙂b', [{ start: 2, end: 4 }])).toEqual([
      ['a', []],
      ['🙂b', [0]],
    ]);
  });

  it('takes ranges of the document when it is a part of it', () => {
    expect(
      marked(
        'cdef',
        [
          { start: 0, end: 4 },
          { start: 90, end: 99 },
        ],
        2,
      ),
    ).toEqual([
      ['cd', [0]],
      ['ef', []],
    ]);
  });

  it('is always whole, in order, and marked by what holds it', () => {
    const range = fc.record({ start: fc.nat(40), end: fc.nat(40) });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(range), (text, ranges) => {
        const cut = pieces(text, ranges);
        expect(cut.map((piece) => piece.text).join('')).toBe(text);
        for (const { start, marks } of cut) {
          for (const mark of marks) expect(ranges[mark]?.end).toBeGreaterThan(start);
        }
      }),
    );
  });
});

it('a reply is cut at the markers that lead somewhere', () => {
  expect(atMarkers('It rose [1], see [9] and [2].', [1, 2])).toEqual([
    { text: 'It rose ' },
    { marker: 1 },
    { text: ', see ' },
    { text: '[9]' },
    { text: ' and ' },
    { marker: 2 },
    { text: '.' },
  ]);
});
