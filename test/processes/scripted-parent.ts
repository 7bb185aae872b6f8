import { createProcessPool } from '../../src/processes/pool.ts';
import { workerEntry } from '../../src/worker-entry.ts';
import type { Scripted } from './scripted-child.ts';

// The entry of a process with a pool: tells the pid of the child that serves the order of its first argument.

const pool = createProcessPool<Scripted>({
  entry: workerEntry(import.meta.url, './scripted-child'),
  size: 1,
  heapMb: 128,
  memoryMb: 512,
  deadlineMs: 600_000,
  requestsAtOnce: 1,
  whenAborted: 'kill',
});

setInterval(() => undefined, 60_000);
await pool.run(
  { order: process.argv[2] === 'spin' ? 'spin' : 'echo' },
  { onPart: (part) => 'pid' in part && process.send?.(part.pid) },
);
