import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

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
