// `npm run check:contract`: what generators and linters of others make of openapi/openapi.json, without a warning. Each runs in a
// folder of its own, in a version that is named here: they are many times the size of the service, and none of its dependencies.
// Without their registries it cannot be done; the generator for Python is left out where there is no Python with pip.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const DOCUMENT = resolve('openapi/openapi.json');
const NODE_TOOLS = [
  '@hey-api/openapi-ts@0.95.0', // the last line for Node.js 20
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-to-postmanv2@6.3.3',
  'openapi-typescript@7.13.0',
  'typescript@5.9.3', // openapi-typescript takes no later one
];
const PYTHON_TOOL = 'openapi-python-client==0.29.1';

const SPECTRAL = {
  extends: ['spectral:oas'],
  // OpenAPI 3.1 lets any scheme name the roles that it takes; the rule knows the scopes of OAuth alone
  rules: { 'oas3-operation-security-defined': 'off' },
};
/** Types of bodies that the generator takes for bytes when it is told so. */
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
const POSTMAN = `require('openapi-to-postmanv2').convert(
  { type: 'file', data: process.argv[2] }, {},
  (error, { result, reason }) => { if (error || !result) { console.error(error ?? reason); process.exit(1); } });`;

const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const failures: string[] = [];

/** Runs a program; what it says is looked through for warnings. */
function check(name: string, folder: string, command: string, args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  // npm and Node.js speak of themselves; some linters have "0 warnings" in their last line
  const said = `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => !/^npm |Deprecation warning|\b(0|no) warnings?/i.test(line));
  const warned = said.filter((line) => /\bwarn(ing)?\b/i.test(line));
  if (status === 0 && warned.length === 0) return void say(`${name}: no warning`);
  failures.push(name);
  say(`${name}: failed (${status})\n${(status === 0 ? warned : said).slice(0, 40).join('\n')}`);
}

async function checkWithNode(folder: string): Promise<void> {
  const bin = (name: string) => join(folder, 'node_modules', '.bin', name);
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"commonjs"}');
  const install = [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--ignore-scripts',
    ...NODE_TOOLS,
  ];
  const { status, stderr } = spawnSync('npm', install, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the tools cannot be installed: ${stderr}`);
  await writeFile(join(folder, '.spectral.json'), JSON.stringify(SPECTRAL));
  await writeFile(join(folder, 'postman.cjs'), POSTMAN);
  const strict = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom,dom.iterable',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
  ];
  check('redocly', folder, bin('redocly'), [
    'lint',
    '--extends',
    'recommended',
    '--format',
    'stylish',
    DOCUMENT,
  ]);
  check('spectral', folder, bin('spectral'), [
    'lint',
    '--fail-severity',
    'hint',
    '-r',
    '.spectral.json',
    DOCUMENT,
  ]);
  check('openapi-typescript', folder, bin('openapi-typescript'), [DOCUMENT, '-o', 'types.ts']);
  check('openapi-typescript, compiled', folder, bin('tsc'), [...strict, 'types.ts']);
  check('@hey-api/openapi-ts', folder, bin('openapi-ts'), ['-i', DOCUMENT, '-o', 'hey']);
  check('@hey-api/openapi-ts, compiled', folder, bin('tsc'), [
    ...strict,
    'hey/index.ts',
    'hey/client.gen.ts',
  ]);
  check('openapi-to-postmanv2', folder, process.execPath, ['postman.cjs', DOCUMENT]);
}

async function checkWithPython(folder: string): Promise<void> {
  const venv = join(folder, 'python');
  const python = join(venv, 'bin', 'python');
  const isThere = spawnSync('python3', ['-m', 'venv', venv]).status === 0;
  if (!isThere || spawnSync(python, ['-m', 'pip', 'install', '--quiet', PYTHON_TOOL]).status !== 0) {
    say('openapi-python-client: skipped, there is no Python with pip');
    return;
  }
  await writeFile(join(folder, 'python.json'), JSON.stringify(PYTHON));
  const generate = [
    'generate',
    '--path',
    DOCUMENT,
    '--config',
    'python.json',
    '--meta',
    'none',
    '--output-path',
    'client',
  ];
  check('openapi-python-client', folder, join(venv, 'bin', 'openapi-python-client'), generate);
  check('openapi-python-client, imported', folder, python, ['-m', 'compileall', '-q', 'client']);
}

const folder = await mkdtemp(join(tmpdir(), 'forge-contract-'));
try {
  await checkWithNode(folder);
  await checkWithPython(folder);
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
