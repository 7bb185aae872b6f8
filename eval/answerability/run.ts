import type { SearchMode } from '../../src/contract/passage.ts';
import type { EvalSettings } from '../retrieval-settings.ts';
import { type Asked, askAll } from './ask.ts';
import { answered, type FloorPoint, floorKeeping, floorPoint } from './curve.ts';
import { type Half, halfOf } from './item.ts';
import { loadAnswerability } from './load.ts';

/** Shares of the answers that are to be kept; the goal is at .97. */
const KEPT = [0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99];
const MODES: SearchMode[] = ['hybrid', 'lexical'];
const HALVES: Half[] = ['tune', 'check'];

/** What is left out of the questions: what retrieval alone can hardly tell. */
const SELECTIONS = {
  all: () => true,
  'without near_miss': ({ item }: Asked) => item.kind !== 'near_miss',
  'without near_miss and cross_lingual': ({ item }: Asked) =>
    item.kind !== 'near_miss' && item.kind !== 'cross_lingual',
} satisfies Record<string, (asked: Asked) => boolean>;

/** The curve of one half in one mode. */
export interface AnswerabilityCurve {
  mode: SearchMode;
  half: Half;
  selection: string;
  /** Questions with an answer, those whose answer is found without a floor, and questions without an answer. */
  answerable: number;
  found: number;
  unanswerable: number;
  points: FloorPoint[];
  /** With the floor in force. */
  inForce: FloorPoint;
}

function curveOf(
  asked: readonly Asked[],
  floor: number,
  of: Pick<AnswerabilityCurve, 'mode' | 'half' | 'selection'>,
): AnswerabilityCurve {
  const answerable = asked.filter(({ item }) => item.answerable).length;
  return {
    ...of,
    answerable,
    found: answered(asked).length,
    unanswerable: asked.length - answerable,
    points: KEPT.map((share) => floorPoint(asked, floorKeeping(asked, share))),
    inForce: floorPoint(asked, floor),
  };
}

/** Asks all labelled questions that can be asked here; says what was skipped. */
export async function runAnswerabilityEval(
  settings: EvalSettings,
): Promise<{ curves: AnswerabilityCurve[]; skipped: string[] }> {
  const set = loadAnswerability();
  const byMode = await askAll(set, MODES, settings);
  const { floor } = settings.relevance;
  const curves = [...byMode].flatMap(([mode, asked]) =>
    Object.entries(SELECTIONS).flatMap(([selection, isSelected]) =>
      HALVES.map((half) => {
        const selected = asked.filter((question) => isSelected(question) && halfOf(question.item) === half);
        return curveOf(selected, floor, { mode, half, selection });
      }),
    ),
  );
  return { curves, skipped: set.skipped };
}

const percent = (share: number): string => `${Math.round(100 * share)}`.padStart(6);

function pointLine(name: string, { floor, kept, anything, silent, silentByKind }: FloorPoint): string {
  const cells = [kept, anything, silent, ...Object.values(silentByKind)].map(percent).join('');
  return `  ${name.padEnd(10)}${floor.toFixed(3)}${cells}`;
}

/** The curves as tables, in percent. */
export function formatAnswerability(curves: readonly AnswerabilityCurve[]): string {
  return curves
    .map(({ mode, half, selection, answerable, found, unanswerable, points, inForce }) => {
      const kinds = Object.keys(inForce.silentByKind).map((kind) => kind.slice(0, 5).padStart(6));
      return [
        `${mode}, ${half}, ${selection}: ${found} of ${answerable} answers found, ${unanswerable} without an answer`,
        `  ${''.padEnd(10)}floor   kept   any  none${kinds.join('')}`,
        ...points.map((point, index) => pointLine(`${Math.round(100 * (KEPT[index] ?? 0))} % kept`, point)),
        pointLine('in force', inForce),
      ].join('\n');
    })
    .join('\n\n');
}
