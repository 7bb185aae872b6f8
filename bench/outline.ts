import { fork } from 'node:child_process';
import { YOUNG_SPACE } from '../src/documents/conversion/pool.ts';
import { workerEntry } from '../src/worker-entry.ts';
import type { OutlineBench } from './outline-process.ts';

/**
 * How long it takes to build an outline, and how that grows: for 1 MB of Markdown and 500 KB of YAML beside what is
 * required and the goal, for larger files and for one, ten and a hundred times the size. Measured in a process with the
 * settings of those that convert documents, because that is where outlines are built.
 */
export async function runOutlineBench(): Promise<OutlineBench> {
  const entry = workerEntry(import.meta.url, './outline-process');
  const child = fork(entry.path, {
    execArgv: [...entry.execArgv, ...YOUNG_SPACE],
    serialization: 'advanced',
  });
  const bench = await new Promise<OutlineBench>((resolve, reject) => {
    child.once('message', (message) => resolve(message as OutlineBench));
    child.once('exit', (code) => reject(new Error(`the process that measures ended with ${code}`)));
  });
  if (bench.rows.some(({ p95, required }) => required !== null && p95 > required)) process.exitCode = 1;
  return bench;
}
