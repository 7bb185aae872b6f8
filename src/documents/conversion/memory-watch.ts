import { Worker } from 'node:worker_threads';

/** Looked at from a thread of its own, since a reader that inflates a hostile file never lets go of the main one. */
const WATCH = `
const { workerData } = require('node:worker_threads');
setInterval(() => {
  if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGKILL');
}, 50);
`;

/**
 * Ends this process once it holds more than `megabytes` of memory. The limit on the heap does not cover buffers, and
 * what a compressed stream unpacks to lies in these.
 */
export function watchMemory(megabytes: number): void {
  const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
  new Worker(WATCH, {
    eval: true,
    execArgv: [],
    workerData: megabytes * 2 ** 20,
    resourceLimits: limits,
  }).unref();
}
