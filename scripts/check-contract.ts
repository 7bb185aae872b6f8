// `npm run check:contract`: what generators and linters of others make of openapi/openapi.json, without a warning. Without their
// registries it cannot be done; the generator for Python is left out where there is no Python with pip. What the generated clients do
// is tried by `npm run test:clients`.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DOCUMENT,
  installNodeTools,
  programIn,
  pythonSteps,
  type Step,
  TYPESCRIPT_GENERATORS,
  typeScriptSteps,
} from './generators.ts';

const NODE_TOOLS = [
  ...TYPESCRIPT_GENERATORS,
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  'openapi-to-postmanv2@6.3.3',
];
const SPECTRAL = {
  extends: ['spectral:oas'],
  // OpenAPI 3.1 lets any scheme name the roles that it takes; the rule knows the scopes of OAuth alone
  rules: { 'oas3-operation-security-defined': 'off' },
};
const POSTMAN = `require('openapi-to-postmanv2').convert(
  { type: 'file', data: process.argv[2] }, {},
  (error, { result, reason }) => { if (error || !result) { console.error(error ?? reason); process.exit(1); } });`;

const say = (text: string): boolean => process.stdout.write(`${text}\n`);
const failures: string[] = [];

/** Runs a program; what it says is looked through for warnings. */
function check(folder: string, { name, command, args }: Step): void {
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

/** Linters, and what else reads contracts. */
async function readerSteps(folder: string): Promise<Step[]> {
  await writeFile(join(folder, '.spectral.json'), JSON.stringify(SPECTRAL));
  await writeFile(join(folder, 'postman.cjs'), POSTMAN);
  return [
    {
      name: 'redocly',
      command: programIn(folder, 'redocly'),
      args: ['lint', '--extends', 'recommended', '--format', 'stylish', DOCUMENT],
    },
    {
      name: 'spectral',
      command: programIn(folder, 'spectral'),
      args: ['lint', '--fail-severity', 'hint', '-r', '.spectral.json', DOCUMENT],
    },
    { name: 'openapi-to-postmanv2', command: process.execPath, args: ['postman.cjs', DOCUMENT] },
  ];
}

const folder = await mkdtemp(join(tmpdir(), 'forge-contract-'));
try {
  await installNodeTools(folder, NODE_TOOLS);
  for (const step of [...(await readerSteps(folder)), ...typeScriptSteps(folder)]) check(folder, step);
  const python = await pythonSteps(folder);
  if ('missing' in python) say(`openapi-python-client: skipped, ${python.missing}`);
  else for (const step of python.steps) check(folder, step);
} finally {
  await rm(folder, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
