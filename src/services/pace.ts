import { oneAtATime } from '../one-at-a-time.ts';

/** Between two rounds while these take next to no time, and at most, in milliseconds. */
const SHORTEST_MS = 50;
const LONGEST_MS = 1_000;
/** A rest is so many times as long as the round before it. */
const REST = 20;
/** As above, where somebody asked for a round. */
const HURRIED_REST = 4;
const HURRIED_SHORTEST_MS = 5;

const between = (least: number, ms: number): number => Math.min(LONGEST_MS, Math.max(least, ms));

/** What a round says of the next one. */
interface Round {
  /** There is to be another by itself. */
  goesOn: boolean;
  /** The rest before it is no shorter, whoever asks for it; `LONGEST_MS` at most, in milliseconds. */
  leastMs: number;
}

/**
 * Has work done again and again with a rest after each round in proportion to what it took, so that it slows down by itself
 * where there is much of it or the database is busy.
 *
 * @param work must not reject
 */
export function createPace(work: () => Promise<Round>) {
  let lastMs = 0;
  let leastMs = 0;
  let endedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  function stop(): void {
    clearTimeout(timer);
    dueAt = Number.POSITIVE_INFINITY;
  }
  function schedule(restMs: number): void {
    const at = Math.max(performance.now(), endedAt + restMs);
    if (at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(round, at - performance.now());
  }
  const round = oneAtATime(async () => {
    stop();
    const beganAt = performance.now();
    const round = await work();
    endedAt = performance.now();
    lastMs = endedAt - beganAt;
    leastMs = round.leastMs;
    if (round.goesOn) schedule(between(Math.max(SHORTEST_MS, leastMs), lastMs * REST));
  });

  return {
    /** Begins a round as soon as the last one lets it. */
    hurry: (): void => schedule(between(Math.max(HURRIED_SHORTEST_MS, leastMs), lastMs * HURRIED_REST)),
    /** No further round until somebody asks for one. */
    stop,
  };
}
