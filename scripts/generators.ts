import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pythonEnvironment } from './python.ts';

// Generators of clients that integrators use, each in a version that is named here: they are many times the size of the service, and
// none of its dependencies. Their registries are needed.

export const DOCUMENT = resolve('openapi/openapi.json');

/** A program to be run in the folder of the tools. */
export interface Step {
  name: string;
  command: string;
  args: string[];
}

/** What `clients/typescript` has its types from. */
export const OPENAPI_TYPESCRIPT = [
  'openapi-typescript@7.13.0',
  'typescript@5.9.3', // openapi-typescript takes no later one
];
export const TYPESCRIPT_GENERATORS = [
  '@hey-api/openapi-ts@0.95.0', // the last line for Node.js 20
  ...OPENAPI_TYPESCRIPT,
];
const PYTHON_GENERATOR = 'openapi-python-client==0.29.1';

/** Types of bodies that the generator for Python takes for bytes when it is told so. */
const PYTHON = {
  content_type_overrides: Object.fromEntries(
    ['application/zip', '*/*', 'application/jsonl', 'application/x-ndjson'].map((type) => [
      type,
      'application/octet-stream',
    ]),
  ),
  // else it runs formatters that are not there
  post_hooks: [],
};

/** @throws Error what npm says */
export async function installNodeTools(folder: string, tools: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"commonjs"}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const { status, stderr } = spawnSync('npm', ['install', ...quiet, ...tools], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the tools cannot be installed: ${stderr}`);
}

/** A program of the tools. */
export const programIn = (folder: string, name: string): string => join(folder, 'node_modules', '.bin', name);

/** The compiler over files of the folder, as strict as it can be. */
export const compiled = (folder: string, name: string, files: string[]): Step => ({
  name: `${name}, compiled`,
  command: programIn(folder, 'tsc'),
  args: [
    ...['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom,dom.iterable'],
    ...['--module', 'esnext', '--moduleResolution', 'bundler', ...files],
  ],
});

/** What generates `types.ts` and `hey/` of the contract, and compiles them. */
export const typeScriptSteps = (folder: string): Step[] => [
  {
    name: 'openapi-typescript',
    command: programIn(folder, 'openapi-typescript'),
    args: [DOCUMENT, '-o', 'types.ts'],
  },
  compiled(folder, 'openapi-typescript', ['types.ts']),
  {
    name: '@hey-api/openapi-ts',
    command: programIn(folder, 'openapi-ts'),
    args: ['-i', DOCUMENT, '-o', 'hey'],
  },
  compiled(folder, '@hey-api/openapi-ts', ['hey/index.ts', 'hey/client.gen.ts']),
];

/** What generates the package `client` of the contract, and compiles it; or why that cannot be done. */
export async function pythonSteps(
  folder: string,
): Promise<{ python: string; steps: Step[] } | { missing: string }> {
  const found = await pythonEnvironment(join(folder, 'python'), 'openapi-python-client', [PYTHON_GENERATOR]);
  if ('missing' in found) return found;
  await writeFile(join(folder, 'python.json'), JSON.stringify(PYTHON));
  const python = join(found.bin, 'python');
  return {
    python,
    steps: [
      {
        name: 'openapi-python-client',
        command: join(found.bin, 'openapi-python-client'),
        args: [
          ...['generate', '--path', DOCUMENT, '--config', 'python.json'],
          ...['--meta', 'none', '--output-path', 'client'],
        ],
      },
      {
        name: 'openapi-python-client, imported',
        command: python,
        args: ['-m', 'compileall', '-q', 'client'],
      },
    ],
  };
}
