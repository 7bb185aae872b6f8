import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pythonEnvironment } from '../../scripts/python.ts';
import { packageRoot } from '../../src/package-root.ts';
import { type Trial, trialOf, tryGeneratedClients } from './generated.ts';

// npm run test:clients [-- own|generated]: the clients of this repository with all that is known of them (types, style, tests, a
// service over a line that breaks, packages), and those that integrators generate, at work. Needs Python with pip, and the registries.

const PYTHON_CLIENT = join(packageRoot, 'clients', 'python');
const failures: string[] = [];

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function judge({ name, try: tried }: Trial): Promise<void> {
  const problem = await tried();
  say(problem === '' ? `${name}: fine` : `${name}: FAILED: ${problem}`);
  if (problem !== '') failures.push(name);
}

/** Where the client for Python and what checks it are installed; it is kept for the next time. */
async function prepare(): Promise<string> {
  const project = await readFile(join(PYTHON_CLIENT, 'pyproject.toml'), 'utf8');
  const mark = createHash('sha256').update(PYTHON_CLIENT).update(project).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `forge-python-client-${mark}`);
  const found = await pythonEnvironment(folder, 'pyright', ['-e', `${PYTHON_CLIENT}[check]`]);
  if ('missing' in found) throw new Error(found.missing);
  return found.bin;
}

/** The examples of its page are typed as it says. */
async function examplesTrial(bin: string, folder: string): Promise<Trial> {
  const page = await readFile(join(PYTHON_CLIENT, 'README.md'), 'utf8');
  const examples = [...page.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code);
  const files = examples.map((_, at) => join(folder, `example_${at}.py`));
  await Promise.all(files.map((file, at) => writeFile(file, examples[at] ?? '')));
  return trialOf(
    { name: 'Python: types of the page', command: join(bin, 'mypy'), args: files },
    PYTHON_CLIENT,
  );
}

/** Packages as they would be published, and how large they are. */
async function tryPackages(bin: string, folder: string): Promise<void> {
  const wheel = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, '.'];
  await judge(trialOf({ name: 'Python: wheel', command: join(bin, 'python'), args: wheel }, PYTHON_CLIENT));
  // its script builds it; those of packages that are installed do not run here
  const pack = ['pack', '--pack-destination', folder, '--no-ignore-scripts'];
  await judge(
    trialOf(
      { name: 'TypeScript: package', command: 'npm', args: pack },
      join(packageRoot, 'clients', 'typescript'),
    ),
  );
  for (const name of (await readdir(folder)).filter((file) => /\.(whl|tgz)$/.test(file))) {
    say(`  ${name}: ${(await stat(join(folder, name))).size} bytes`);
  }
}

async function tryOwnClients(): Promise<void> {
  const bin = await prepare();
  const python = join(bin, 'python');
  const folder = await mkdtemp(join(tmpdir(), 'forge-clients-'));
  const commands: [string, string[]][] = [
    ['pytest', ['-q']],
    ['mypy', []],
    ['pyright', ['--pythonpath', python]],
    ['ruff', ['check', '--no-cache', '.']],
    ['ruff', ['format', '--no-cache', '--check', '.']],
  ];
  try {
    for (const [program, args] of commands) {
      const step = { name: `Python: ${[program, args[0]].join(' ')}`, command: join(bin, program), args };
      await judge(trialOf(step, PYTHON_CLIENT));
    }
    await judge(await examplesTrial(bin, folder));
    const vitest = {
      name: 'both over a line that breaks',
      command: join(packageRoot, 'node_modules', '.bin', 'vitest'),
      args: ['run', 'test/clients'],
    };
    await judge(trialOf(vitest, packageRoot, { ...process.env, CLIENTS_PYTHON: python }));
    await tryPackages(bin, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const PARTS: Record<string, () => Promise<void>> = {
  own: tryOwnClients,
  generated: () => tryGeneratedClients(judge),
};

const { positionals } = parseArgs({ allowPositionals: true });
for (const name of positionals.length > 0 ? positionals : Object.keys(PARTS)) await PARTS[name]?.();
process.exit(failures.length === 0 ? 0 : 1);
