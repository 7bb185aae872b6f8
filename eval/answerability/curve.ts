import type { Asked } from './ask.ts';

/** What a floor does. */
export interface FloorPoint {
  floor: number;
  /** Share of the questions with an answer whose answer is still shown, of those that it was shown for without a floor. */
  kept: number;
  /** The same, for any passage. */
  anything: number;
  /** Share of the questions without an answer that get nothing. */
  silent: number;
  /** The same, by the kind of question. */
  silentByKind: Record<string, number>;
}

const share = (all: readonly boolean[]): number => all.filter(Boolean).length / (all.length || 1);
const bestOf = (scores: readonly number[]): number => Math.max(0, ...scores);
const best = ({ passages }: Asked): number => bestOf(passages.map(({ score }) => score));
const bestAnswer = ({ passages }: Asked): number =>
  bestOf(passages.filter(({ holds }) => holds).map(({ score }) => score));

/** The questions whose answer is among the passages found. */
export const answered = (asked: readonly Asked[]): Asked[] =>
  asked.filter(({ item, passages }) => item.answerable && passages.some(({ holds }) => holds));

/** What a floor does to some questions; a passage is shown when its score is not below. */
export function floorPoint(asked: readonly Asked[], floor: number): FloorPoint {
  const found = answered(asked);
  const without = asked.filter(({ item }) => !item.answerable);
  const isSilent = (question: Asked): boolean => best(question) < floor;
  const kinds = [...new Set(without.map(({ item }) => item.kind))].sort();
  return {
    floor,
    kept: share(found.map((question) => bestAnswer(question) >= floor)),
    anything: share(found.map((question) => best(question) >= floor)),
    silent: share(without.map(isSilent)),
    silentByKind: Object.fromEntries(
      kinds.map((kind) => [kind, share(without.filter(({ item }) => item.kind === kind).map(isSilent))]),
    ),
  };
}

/** The highest floor that keeps a share of the answers. */
export function floorKeeping(asked: readonly Asked[], share: number): number {
  const scores = answered(asked)
    .map(bestAnswer)
    .sort((a, b) => a - b);
  // of 93 answers 90 are 97 %: three may go, and rounding must not make them two
  const lost = Math.floor((1 - share) * scores.length + 1e-9);
  return scores[lost] ?? 0;
}
