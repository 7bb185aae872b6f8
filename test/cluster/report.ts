/** Says a line to whoever runs it. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Says whether something holds, and keeps it among the failures if it does not. */
export function check(failures: string[], what: string, holds: boolean): void {
  say(`${holds ? 'held' : 'FAILED'}: ${what}`);
  if (!holds) failures.push(what);
}
