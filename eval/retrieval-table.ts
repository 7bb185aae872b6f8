import { confidenceInterval, type Interval } from './bootstrap.ts';
import { mean } from './retrieval-metrics.ts';
import type { Figure } from './retrieval-set.ts';

/** What each question scored, in each mode; undefined: not asked in this mode. */
export interface ModeScores {
  semantic: readonly number[] | undefined;
  lexical: readonly number[] | undefined;
  hybrid: readonly number[] | undefined;
  reranked?: readonly number[] | undefined;
  contextual?: readonly number[] | undefined;
}

/** One figure of one set, in each mode; null: not asked in this mode. */
export interface RetrievalRow extends Figure {
  set: string;
  semantic: number | null;
  lexical: number | null;
  hybrid: number | null;
  /** Hybrid, ordered by a reranker; absent: none was asked for. */
  reranked?: number | null;
  /** Hybrid, of leaves with contexts; absent: none were written. */
  contextual?: number | null;
  /** Of hybrid search; of search by words where there is nothing else. */
  interval: Interval | null;
  scores: ModeScores;
}

const meanOrNull = (scores: readonly number[] | undefined): number | null => (scores ? mean(scores) : null);

const intervalOf = (scores: readonly number[] | undefined): Interval | null =>
  scores ? confidenceInterval(scores) : null;

export const rowOf = (set: string, figure: Figure, scores: ModeScores): RetrievalRow => ({
  ...{ set, ...figure, scores },
  semantic: meanOrNull(scores.semantic),
  lexical: meanOrNull(scores.lexical),
  hybrid: meanOrNull(scores.hybrid),
  ...('reranked' in scores && { reranked: meanOrNull(scores.reranked) }),
  ...('contextual' in scores && { contextual: meanOrNull(scores.contextual) }),
  interval: intervalOf(scores.hybrid ?? scores.lexical),
});

const WIDTH = 9;
const NAME = 22;
const INTERVAL = 17;

const cell = (value: number | null): string => (value === null ? '–' : value.toFixed(3)).padStart(WIDTH);
const cells = ({ semantic, lexical, hybrid, reranked, contextual }: RetrievalRow): string =>
  [semantic, lexical, hybrid, reranked, contextual]
    .map((value) => (value === undefined ? '' : cell(value)))
    .join('');
const intervalCell = (interval: Interval | null): string =>
  (interval ? `${interval.low.toFixed(3)} to ${interval.high.toFixed(3)}` : '–').padStart(INTERVAL);
/** What is measured beside the search alone. */
export interface Beside {
  isReranked: boolean;
  isContextual: boolean;
}

const modes = ({ isReranked, isContextual }: Beside): string =>
  ['dense', 'lexical', 'hybrid', ...(isReranked ? ['+rerank'] : []), ...(isContextual ? ['+context'] : [])]
    .map((name) => name.padStart(WIDTH))
    .join('');

/** The line above the rows. */
export const rowsHeader = (beside: Beside): string =>
  `${'set'.padEnd(NAME)}${'figure'.padEnd(10)}${modes(beside)}${'95 % interval'.padStart(INTERVAL)}${'floor'.padStart(WIDTH)}${'goal'.padStart(WIDTH)}  published`;

/** Whether hybrid search, which is what the product does, stays below a mark; search by words where there is nothing else. */
export const isBelow = ({ hybrid, lexical }: RetrievalRow, mark: number | null): boolean =>
  mark !== null && (hybrid ?? lexical ?? 0) < mark;

/** The figures of a set, one a line, beside their floors and goals. */
export function formatRows(rows: readonly RetrievalRow[]): string {
  return rows
    .map((row) => {
      let verdict = '';
      if (isBelow(row, row.floor)) verdict = 'BELOW THE FLOOR';
      else if (isBelow(row, row.goal)) verdict = 'below the goal';
      const known = `${intervalCell(row.interval)}${cell(row.floor)}${cell(row.goal)}  ${(row.published ?? '').padEnd(40)}`;
      return `${row.set.padEnd(NAME)}${row.name.padEnd(10)}${cells(row)}${known} ${verdict}`;
    })
    .join('\n');
}

/**
 * The figures of a set side by side, one line a value of the setting that is swept.
 *
 * @param inForce the value that the service has, which is marked
 */
export function formatSweep(
  { key, inForce }: { key: string; inForce: number },
  swept: readonly { value: number; rows: readonly RetrievalRow[] }[],
): string {
  const figures = swept[0]?.rows ?? [];
  const width = Math.max(NAME, key.length + 2);
  const columns = modes({
    isReranked: figures[0]?.reranked !== undefined,
    isContextual: figures[0]?.contextual !== undefined,
  });
  const lines = swept.map(
    ({ value, rows }) =>
      `${`${value}${value === inForce ? ' (in force)' : ''}`.padEnd(width)}${rows.map(cells).join('')}`,
  );
  return [
    `${(figures[0]?.set ?? '').padEnd(width)}${figures.map(({ name }) => name.padStart(columns.length)).join('')}`,
    `${key.padEnd(width)}${columns.repeat(figures.length)}`,
    ...lines,
  ].join('\n');
}
