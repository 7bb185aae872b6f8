import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

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

/**
 * The programs of a virtual environment with these packages from the Python package index, made unless `program` is there already; or
 * why there is none.
 */
export async function pythonEnvironment(
  folder: string,
  program: string,
  packages: readonly string[],
): Promise<{ bin: string } | { missing: string }> {
  const bin = join(folder, 'bin');
  if (existsSync(join(bin, program))) return { bin };
  const made = await run('python3', ['-m', 'venv', folder]);
  if (made.code === null) return { missing: 'Python is not installed' };
  if (made.code !== 0) return { missing: 'Python has no module venv' };
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  const installed = await run(join(bin, 'python'), install);
  if (installed.code === 0) return { bin };
  return { missing: `${packages.join(', ')} could not be installed: ${installed.output.slice(-300)}` };
}
