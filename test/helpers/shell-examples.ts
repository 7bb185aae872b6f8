import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/package-root.ts';

const run = promisify(execFile);
const ADDRESS = /(?:http:\/\/)?(?:localhost|127\.0\.0\.1):3000/g;
const END = '\u0001';
const LONGEST_MS = 120_000;

/** Commands of a page, and what it says that they print; empty: it says nothing. */
export interface ShellExample {
  commands: string;
  prints: string;
}

/** The blocks of commands in a Markdown page, in their order, each with the block of text that follows it. */
export function shellExamples(markdown: string): ShellExample[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
  return blocks.flatMap(({ language, text }, at) => {
    if (language !== 'sh') return [];
    const next = blocks[at + 1];
    return [{ commands: text, prints: next?.language === 'text' ? next.text : '' }];
  });
}

/** Whether programs can be run here. */
export const canRun = async (...programs: string[]): Promise<boolean> =>
  (
    await Promise.all(
      programs.map((program) =>
        run(program, ['--version']).then(
          () => true,
          () => false,
        ),
      ),
    )
  ).every(Boolean);

/**
 * Runs the commands in one shell, as a reader does who has the repository in front of him, except that the service is at `url` and
 * `npx forge` runs from source.
 *
 * @returns what each of them printed, errors and progress in between, as on a terminal
 */
export async function runExamples(examples: readonly ShellExample[], url: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-examples-'));
  try {
    await symlink(join(packageRoot, 'demo'), join(folder, 'demo'));
    const forge = [process.execPath, '--import', 'tsx', join(packageRoot, 'src', 'cli.ts')];
    await writeFile(
      join(folder, 'npx'),
      `#!/bin/sh\n[ "$1" = forge ] || exit 127\nshift\ncd '${packageRoot}' && exec ${forge.map((part) => `'${part}'`).join(' ')} "$@"\n`,
      { mode: 0o755 },
    );
    const script = examples
      .map(({ commands }) => `${commands.replaceAll(ADDRESS, url)}\nprintf '${END}'`)
      .join('\n');
    const { stdout } = await run('bash', ['-e', '-c', `exec 2>&1\n${script}`], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
      timeout: LONGEST_MS,
      maxBuffer: 2 ** 26,
    });
    return stdout.split(END).slice(0, -1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Line breaks and the indents after them are for the reader of a page. */
const flat = (text: string): string => text.replaceAll(/\s*\n\s*/g, '');

/**
 * What of a page's text was not printed, in its order; null when all of it was. `…` stands for anything.
 */
export function firstDifference(page: string, printed: string): string | null {
  const actual = flat(printed);
  // what is left out may be nothing, and then there is one comma where the page has two
  const parts = flat(page).replaceAll('…,', '…').split('…');
  let from = 0;
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const found = isLast && part !== '' ? actual.lastIndexOf(part) : actual.indexOf(part, from);
    const isInPlace =
      found >= from &&
      (at > 0 || found === 0) &&
      (!isLast || part === '' || found + part.length === actual.length);
    if (!isInPlace) return `"${part}" is not in its place in: ${actual.slice(from, from + 600)}`;
    from = found + part.length;
  }
  return null;
}
