import { describe, expect, it } from 'vitest';
import { reportFidelity } from '../../../src/documents/formats/fidelity.ts';
import { countResult } from '../../../src/documents/formats/to-markdown/result-counts.ts';

const none = { headings: 0, tables: 0, list_items: 0, links: 0, images: 0, footnotes: 0 };

describe('reportFidelity', () => {
  it('gives 1 only when nothing is missing', () => {
    const whole = {
      source: { ...none, tables: 2 },
      result: { ...none, tables: 2 },
      letters: { source: 100, result: 100 },
      losses: new Map(),
      details: {},
    };
    expect(reportFidelity(whole)).toMatchObject({ score: 1, losses: [] });
    const lacking = reportFidelity({ ...whole, result: { ...none, tables: 1 } });
    expect(lacking.score).toBeLessThan(1);
    expect(lacking.losses).toEqual([{ kind: 'table', count: 1 }]);
  });

  it('counts lost text most, and a picture without words least', () => {
    const base = {
      source: { ...none, images: 1 },
      result: { ...none, images: 1 },
      letters: { source: 100, result: 100 },
      losses: new Map(),
      details: {},
    };
    const noText = reportFidelity({ ...base, letters: { source: 100, result: 50 } });
    const noImage = reportFidelity({ ...base, result: none });
    expect(noText.score).toBeLessThan(noImage.score);
    expect(noText.losses).toMatchObject([{ kind: 'text', count: 50 }]);
  });
});

describe('countResult', () => {
  it('counts structure, but not what stands in code', () => {
    const markdown =
      '# A\n\n- x\n  1. y\n\n| a |\n| --- |\n| [b](http://c) ![d]() ![Image]() |\n\nz[^1] [in](#a) <https://e.f>\n\n' +
      '<table>\n<tr><td><ul><li>q</li></ul></td></tr>\n</table>\n\n```\n# no\n- no\n[x](y)\n```\n\n[^1]: note';
    expect(countResult(markdown).kinds).toEqual({
      headings: 1,
      tables: 2,
      list_items: 3,
      links: 2,
      images: 1,
      footnotes: 1,
    });
  });

  it('counts letters of the text only', () => {
    expect(countResult('**ab** [cd](http://long.example/path) <br>e \\<f> ![Image]() g²').letters).toBe(8);
  });
});
