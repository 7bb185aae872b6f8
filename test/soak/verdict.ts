import type { Row } from '../faults/table.ts';
import type { Sample } from './service.ts';
import { trendOf } from './trend.ts';

const MEGABYTE = 2 ** 20;
/**
 * Heap that may stay behind for each thing that a client does, in bytes. The least thing that can leak with a request, a
 * timer or a listener with its closure, is about as large; a request that is held is a hundred times as large.
 */
const HEAP_PER_ACT = 200;
/**
 * Share of the resident memory by which it may seem to grow in the time that is measured. It has what V8, the allocator
 * and the database's WebAssembly keep for later use, which falls rarely and rises by steps.
 */
const RESIDENT_SHARE = 0.05;
/** Things that are counted may seem to grow by so many in the time: as many as may be under way when it is measured. */
const COUNT = 10;
/** Counted in thousands, of which a pool or a cache more makes hundreds. */
const MANY_SHARE = 0.05;

type Figure = keyof Omit<Sample, 'minute' | 'acts'>;

interface Limit {
  figure: Figure;
  /** How much it may grow from the first to the last measurement, with 95 % confidence that it did; null: shown only. */
  most: ((samples: readonly Sample[], average: number) => number) | null;
}

const few: Limit['most'] = () => COUNT;
const many: Limit['most'] = (_, average) => Math.max(COUNT, average * MANY_SHARE);
const actsOf = (samples: readonly Sample[]): number => (samples.at(-1)?.acts ?? 0) - (samples[0]?.acts ?? 0);

const LIMITS: readonly Limit[] = [
  { figure: 'heapUsed', most: (samples) => actsOf(samples) * HEAP_PER_ACT },
  { figure: 'external', most: (samples) => actsOf(samples) * HEAP_PER_ACT },
  { figure: 'rss', most: (_, average) => average * RESIDENT_SHARE },
  { figure: 'handles', most: few },
  { figure: 'timers', most: few },
  { figure: 'sockets', most: few },
  { figure: 'files', most: few },
  { figure: 'listeners', most: few },
  { figure: 'signals', most: many },
  { figure: 'emitters', most: many },
  { figure: 'promises', most: many },
  { figure: 'statements', most: many },
  // rows that stay on purpose: the log of who did what, vectors to be used again
  { figure: 'database', most: null },
];

const shown = (value: number): string =>
  Math.abs(value) >= MEGABYTE / 10 ? `${(value / MEGABYTE).toFixed(2)} MiB` : value.toFixed(0);

/** A row for each figure; it fails when it has grown by more than its limit, at the lower bound of its slope. */
export function judge(samples: readonly Sample[]): Row[] {
  return LIMITS.map(({ figure, most }) => {
    const points = samples.map((sample) => ({ x: sample.minute, y: sample[figure] }));
    const minutes = (points.at(-1)?.x ?? 0) - (points[0]?.x ?? 0);
    const average = points.reduce((sum, { y }) => sum + y, 0) / points.length;
    const { slope, low, high } = trendOf(points);
    const limit = most?.(samples, average);
    const grown = low * minutes;
    return {
      figure,
      first: shown(points[0]?.y ?? 0),
      last: shown(points.at(-1)?.y ?? 0),
      a_minute: shown(slope),
      from: shown(low),
      to: shown(high),
      limit_in_all: limit === undefined ? 'none' : shown(limit),
      failed:
        limit !== undefined && grown > limit
          ? `${figure} grew by ${shown(grown)} at least in ${minutes.toFixed(0)} minutes`
          : '',
    };
  });
}
