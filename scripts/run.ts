import { type SpawnOptions, spawn } from 'node:child_process';

/** Runs a program; what it prints, and how it ended: null when it is not there. */
export function run(
  program: string,
  args: string[],
  options: SpawnOptions = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    const output: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
    }
    child.once('error', () => resolve({ code: null, output: '' }));
    child.once('close', (code) => {
      process.off('exit', kill);
      resolve({ code: code ?? 1, output: output.join('') });
    });
  });
}
