import { describe, expect, it } from 'vitest';
import type { Asked } from '../../eval/answerability/ask.ts';
import { floorKeeping, floorPoint } from '../../eval/answerability/curve.ts';
import type { Item } from '../../eval/answerability/item.ts';

const evidence = { ...{ told: 0, specific: 0, unknown: 0, missingName: 0, unknownName: 0 }, standing: null };

const question = (answerable: boolean, kind: string, passages: [score: number, holds: boolean][]): Asked => ({
  item: { answerable, kind } as Item,
  passages: passages.map(([score, holds]) => ({ score, evidence, holds })),
});

// answers at 0.01 to 1; the one that is not found counts for nothing
const answers = Array.from({ length: 100 }, (_, i) => question(true, 'direct', [[(i + 1) / 100, true]]));
const asked = [
  ...answers,
  question(true, 'direct', [[0.9, false]]),
  question(false, 'off_topic', [[0.02, false]]),
  question(false, 'off_topic', []),
  question(false, 'near_miss', [[0.5, false]]),
];

describe('the curve of a floor', () => {
  it('finds the highest floor that keeps a share of the answers', () => {
    expect(floorKeeping(asked, 0.97)).toBe(0.04);
    expect(floorPoint(asked, floorKeeping(asked, 0.97)).kept).toBe(0.97);
    expect(floorKeeping([], 0.97)).toBe(0);
  });

  it('counts who gets nothing, by kind', () => {
    expect(floorPoint(asked, 0.04)).toMatchObject({
      silent: 2 / 3,
      silentByKind: { near_miss: 0, off_topic: 1 },
    });
  });

  it('counts an answer as kept only when the passage that holds it is shown', () => {
    const hidden = [
      question(true, 'direct', [
        [0.9, false],
        [0.1, true],
      ]),
    ];
    expect(floorPoint(hidden, 0.5)).toMatchObject({ kept: 0, anything: 1 });
  });
});
