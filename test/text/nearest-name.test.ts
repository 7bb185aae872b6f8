import { expect, it } from 'vitest';
import { nearestName } from '../../src/text/nearest-name.ts';

it.each([
  ['sumarize_document', 'summarize_document'],
  ['SEARCH_DOCUMENT', 'search_documents'],
  ['quite another thing', null],
])('finds what %s was most likely to be', (wrong, expected) => {
  expect(nearestName(wrong, ['summarize_document', 'search_documents', 'read_pointer'])).toBe(expected);
});
