import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trimOutline } from '../../../src/documents/outline/trim.ts';
import { countTokens } from '../../../src/text/tokens.ts';
import { prose } from '../../helpers/prose.ts';
import { nodesOf, treeOf } from './nodes.ts';

const text = ['# A', prose(1, 3), '### A.1', '#### A.1.1', '# B', '## B.1', prose(2, 3), '# C'].join('\n\n');
const nodes = nodesOf(text, 'markdown');
const trim = (budget: Omit<Parameters<typeof trimOutline>[1], 'includeBlurbs'>, includeBlurbs = true) => {
  const { nodes: left, truncated } = trimOutline(nodes, { ...budget, includeBlurbs });
  return [treeOf(left), truncated];
};

describe('an outline under a budget', () => {
  it('is whole when it fits', () => {
    const whole = ['A', '  A.1', '    A.1.1', 'B', '  B.1', 'C'];
    expect(trim({})).toEqual([whole, false]);
    expect(trim({ levels: 3, maxNodes: 6, maxTokens: 10_000 })).toEqual([whole, false]);
  });

  it('has as many levels as asked for, by depth and not by the number of a heading', () => {
    expect(trim({ levels: 2 })).toEqual([['A', '  A.1', 'B', '  B.1', 'C'], true]);
    expect(trim({ levels: 1 })).toEqual([['A', 'B', 'C'], true]);
  });

  it('loses whole levels first, then the last nodes of the top level', () => {
    expect(trim({ maxNodes: 5 })).toEqual([['A', '  A.1', 'B', '  B.1', 'C'], true]);
    expect(trim({ maxNodes: 4 })).toEqual([['A', 'B', 'C'], true]);
    expect(trim({ maxNodes: 2 })).toEqual([['A', 'B'], true]);
    expect(trim({ maxNodes: 0 })).toEqual([[], true]);
  });

  it('counts the tokens of what is sent', () => {
    const all = trimOutline(nodes, { includeBlurbs: true }).tokens;
    const bare = trimOutline(nodes, { includeBlurbs: false }).tokens;
    const sent = countTokens(
      JSON.stringify(nodes.map((node) => ({ ...node, pointerId: `outline:file.md:${node.id}` }))),
    );
    expect(all / sent).toBeGreaterThan(0.7);
    expect(all / sent).toBeLessThan(1.3);
    expect(trim({ maxTokens: all })[1]).toBe(false);
    expect(trim({ maxTokens: all - 1 })[1]).toBe(true);
    // blurbs that are not sent cost nothing
    expect(trim({ maxTokens: bare })[1]).toBe(true);
    expect(trim({ maxTokens: bare }, false)[1]).toBe(false);
  });

  it('is a tree within its budget, whatever the budget', () => {
    const heading = fc.integer({ min: 1, max: 6 }).map((level) => `${'#'.repeat(level)} ${prose(level, 1)}`);
    fc.assert(
      fc.property(
        fc.array(heading, { maxLength: 25 }),
        fc.nat({ max: 7 }),
        fc.nat({ max: 30 }),
        fc.nat({ max: 3_000 }),
        (headings, levels, maxNodes, maxTokens) => {
          const some = nodesOf(headings.join('\n'), 'markdown');
          const {
            nodes: left,
            tokens,
            truncated,
          } = trimOutline(some, { levels, maxNodes, maxTokens, includeBlurbs: true });
          const ids = new Set(left.map(({ id }) => id));
          expect(left.every(({ parentId }) => parentId === null || ids.has(parentId))).toBe(true);
          expect(left.length).toBeLessThanOrEqual(maxNodes);
          expect(tokens).toBeLessThanOrEqual(maxTokens);
          expect(truncated).toBe(left.length < some.length);
        },
      ),
      { numRuns: 300, seed: 31 },
    );
  });
});
