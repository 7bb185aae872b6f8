import { Worker } from 'node:worker_threads';
import { type ChildTerms, LIMIT_SIGNALS } from './exchange.ts';

/** What the watchdog sees in the place of a deadline while there is none. */
const NEVER = 2n ** 63n - 1n;

/** It looks from a thread of its own, since a reader that is caught in a loop never lets go of the main one. */
const WATCH = `
const { workerData } = require('node:worker_threads');
const { parentPid, mostBytes, deadline, signals } = workerData;
setInterval(() => {
  const isOrphan = process.ppid !== parentPid;
  const isTooLarge = process.memoryUsage.rss() > mostBytes;
  const isTooLate = process.hrtime.bigint() > Atomics.load(deadline, 0);
  if (isOrphan) process.kill(process.pid, 'SIGKILL');
  if (isTooLarge) process.kill(process.pid, signals.memory);
  if (isTooLate) process.kill(process.pid, signals.deadline);
}, 50);
`;

export interface Watchdog {
  /** A request has begun that may take so many milliseconds. */
  begin(id: number, deadlineMs: number): void;
  /** It is over; one that is over already stays so. */
  end(id: number): void;
}

/**
 * Watches over this process, whatever its main thread does, and kills it when its parent is gone (where systems tell, all
 * but Windows), when a request is past its deadline, and when it holds more memory than it may: the limit on the heap does
 * not cover buffers, and what a compressed stream unpacks to lies in these.
 */
export function startWatchdog({ parentPid, memoryMb }: ChildTerms): Watchdog {
  const deadlines = new Map<number, bigint>();
  const deadline = new BigInt64Array(new SharedArrayBuffer(8)).fill(NEVER);
  new Worker(WATCH, {
    eval: true,
    execArgv: [],
    workerData: { parentPid, mostBytes: memoryMb * 2 ** 20, deadline, signals: LIMIT_SIGNALS },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  }).unref();
  const show = (): void => {
    let first = NEVER;
    for (const one of deadlines.values()) if (one < first) first = one;
    Atomics.store(deadline, 0, first);
  };
  return {
    begin(id, deadlineMs) {
      deadlines.set(id, process.hrtime.bigint() + BigInt(Math.round(deadlineMs * 1e6)));
      show();
    },
    end(id) {
      if (deadlines.delete(id)) show();
    },
  };
}
