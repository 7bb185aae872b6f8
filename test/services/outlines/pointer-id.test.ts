import { describe, expect, it } from 'vitest';
import { chunkPointer, outlinePointer, parsePointer } from '../../../src/services/outlines/pointer-id.ts';

const NODE = '0123abcd-4567cdef';
const LEAF = `leaf_${'0f'.repeat(12)}`;

describe('the id of a pointer', () => {
  it.each(['report.md', 'a: b: c.md', 'outline:x:y.md', '日本 😀.txt', 'chunk:.md'])(
    'names the file %s and what of it is meant',
    (filename) => {
      expect(parsePointer(outlinePointer(filename, NODE))).toEqual({
        kind: 'outline',
        filename,
        nodeId: NODE,
      });
      expect(parsePointer(chunkPointer(filename, NODE, LEAF))).toEqual({
        kind: 'chunk',
        filename,
        nodeId: NODE,
        leafId: LEAF,
      });
      expect(parsePointer(chunkPointer(filename, null, LEAF))).toEqual({
        kind: 'chunk',
        filename,
        nodeId: null,
        leafId: LEAF,
      });
    },
  );

  it.each([
    '',
    'outline:',
    `outline:${NODE}`,
    `outline:a.md:${NODE}x`,
    `chunk:a.md:${LEAF}`,
    `page:a.md:${NODE}`,
  ])('is not %j', (id) => {
    expect(parsePointer(id)).toBeNull();
  });
});
