import { existsSync, readFileSync } from 'node:fs';

/** Whether a process runs. One that has ended and that nobody has asked about yet does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  // the state is the first field behind the name, which stands in parentheses
  return !existsSync(stat) || !/^.*\) Z/s.test(readFileSync(stat, 'utf8'));
}
