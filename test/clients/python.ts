import { run } from '../../scripts/run.ts';

/** The interpreter that `npm run test:clients` has made; it must do then. */
const GIVEN = process.env.CLIENTS_PYTHON;

/** The Python that runs the client and its tests; or why there is none. */
export async function findPython(): Promise<{ python: string } | { missing: string }> {
  if (GIVEN !== undefined) return { python: GIVEN };
  const { code } = await run('python3', ['--version']);
  if (code === null) return { missing: 'Python is not installed' };
  const needed = 'import sys, httpx, pytest; sys.exit(sys.version_info < (3, 10))';
  if ((await run('python3', ['-c', needed])).code === 0) return { python: 'python3' };
  return { missing: 'python3 is older than 3.10, or without httpx and pytest; npm run test:clients has all' };
}
