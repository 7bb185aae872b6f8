import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/package-root.ts';

const run = promisify(execFile);
const ARCHIVE_BYTES = 2 ** 28;

const git = async (...args: string[]): Promise<string> =>
  (await run('git', args, { cwd: packageRoot })).stdout.trim();

/** What comes before the newest migration: the last one that serves on another schema than this. */
async function lastOnAnotherSchema(): Promise<string> {
  const newest = await git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'migrations');
  return git('rev-parse', `${newest}^`);
}

/**
 * The source of the release before this one, in a folder of its own: the commit that PREVIOUS_RELEASE names, else the last
 * one before the newest migration. Null where the history is not there.
 */
export async function checkOutPreviousRelease() {
  const commit = await (process.env.PREVIOUS_RELEASE
    ? git('rev-parse', process.env.PREVIOUS_RELEASE)
    : lastOnAnotherSchema()
  ).catch(() => null);
  if (commit === null) return null;
  const root = await mkdtemp(join(tmpdir(), 'forge-previous-'));
  // all of it: what a release needs at its start is its own affair
  const archive = await run('git', ['archive', commit], {
    cwd: packageRoot,
    encoding: 'buffer',
    maxBuffer: ARCHIVE_BYTES,
  });
  const file = join(root, 'source.tar');
  await writeFile(file, archive.stdout);
  await run('tar', ['-xf', file, '-C', root]);
  await symlink(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
  return { root, name: commit.slice(0, 7), remove: () => rm(root, { recursive: true, force: true }) };
}
