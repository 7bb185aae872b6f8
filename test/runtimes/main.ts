// npm run test:runtimes: the client, compiled as it is published, in Node.js, Deno and Bun against a service. The other two come
// from the registry of npm into a temporary folder; what cannot be had there is skipped, and said so.
import { deepStrictEqual } from 'node:assert';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXPECTED } from './scenario.js';
import { addressOfNothing, compileClient, startScenarioService } from './service.ts';

const RUNTIMES = [
  { name: 'deno', version: '2.9.6', args: ['run', '--allow-all', '--no-config'] },
  { name: 'bun', version: '1.4.5', args: ['run'] },
] as const;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** The command of a runtime, installed below a folder; what went wrong, where it cannot be had. */
async function install(folder: string, { name, version }: (typeof RUNTIMES)[number]) {
  const place = join(folder, name);
  await mkdir(place);
  // both have their binaries as optional dependencies, and put them in place by a script, which this repository allows none
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts=false'];
  const install = spawnSync('npm', ['install', '--prefix', place, ...options, `${name}@${version}`], {
    encoding: 'utf8',
  });
  const command = join(place, 'node_modules', '.bin', name);
  const { status } = spawnSync(command, ['--version']);
  return status === 0
    ? { command }
    : { problem: install.stderr.trim().split('\n')[0] || 'it does not start' };
}

/** Runs the scenario. @throws what came of it is not what comes of it elsewhere */
async function tryOut(name: string, command: string, args: readonly string[], client: string): Promise<void> {
  const service = await startScenarioService();
  try {
    const runner = [...args, resolve('test/runtimes/run.js'), client, service.url, await addressOfNothing()];
    const child = spawn(command, runner, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${output}`);
    deepStrictEqual(JSON.parse(output), EXPECTED);
  } finally {
    await service.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'forge-runtimes-'));
try {
  const compiled = join(folder, 'client');
  compileClient(compiled);
  const client = pathToFileURL(join(compiled, 'index.js')).href;
  await tryOut('node', process.execPath, [], client);
  say(`node ${process.version}: uploads, streams over breaks, cancels, refuses`);
  for (const runtime of RUNTIMES) {
    const found = await install(folder, runtime);
    if ('problem' in found) {
      say(`${runtime.name} ${runtime.version}: SKIPPED, it cannot be installed here: ${found.problem}`);
      continue;
    }
    await tryOut(runtime.name, found.command, runtime.args, client);
    say(`${runtime.name} ${runtime.version}: the same`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
