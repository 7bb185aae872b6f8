import { describe, expect, it } from 'vitest';
import type { OutlineNode } from '../../../src/documents/outline/outline.ts';
import { byId, headerPathOf, nearestSurviving } from '../../../src/services/outlines/surviving.ts';

const node = (id: string, parentId: string | null = null): OutlineNode => ({
  id,
  parentId,
  level: 1,
  text: id,
  charStart: 0,
  charEnd: 0,
  bodyEnd: 0,
  blurb: '',
  tokenEstimate: 0,
  chunkId: null,
});

// a document of two chapters, the first with two sections
const before = [node('c1-1'), node('s1-1', 'c1-1'), node('s2-1', 'c1-1'), node('c2-1')];

describe('the nearest heading that is left', () => {
  it('is the heading itself when only its text changed', () => {
    expect(nearestSurviving('s1-1', before, [node('c1-1'), node('s1-2', 'c1-1')])?.id).toBe('s1-2');
    expect(nearestSurviving('s1-1', null, [node('s1-2')])?.id).toBe('s1-2');
  });
  it('is the heading above when it is gone', () => {
    expect(nearestSurviving('s2-1', before, [node('c1-9'), node('s1-1', 'c1-9'), node('c2-1')])?.id).toBe(
      'c1-9',
    );
  });
  it('is the one before, else the one behind, when nothing above is left', () => {
    expect(nearestSurviving('c2-1', before, [node('c1-1'), node('s2-1', 'c1-1')])?.id).toBe('s2-1');
    expect(nearestSurviving('c1-1', before, [node('c2-1')])?.id).toBe('c2-1');
  });
  it('is none when nothing is left, or nothing is known', () => {
    expect(nearestSurviving('s1-1', before, [])).toBeNull();
    expect(nearestSurviving('x1-1', null, [node('c1-1')])).toBeNull();
  });
});

it('a header path goes from the outermost heading to the node', () => {
  expect(headerPathOf(byId(before), before[2] as OutlineNode)).toEqual(['c1-1', 's2-1']);
});
