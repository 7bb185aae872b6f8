import { expect, it } from 'vitest';
import { atMarkers } from '../../inspect/highlight.js';

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
