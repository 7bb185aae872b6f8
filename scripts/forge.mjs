#!/usr/bin/env node
// start, test, demo and check, each with all the set-up that it needs on a fresh clone. Plain Node.js, no dependency:
// it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamps = join(root, 'node_modules', '.cache', 'forge');
const bin = (name) => join(root, 'node_modules', '.bin', name);

const say = (text) => process.stdout.write(`forge: ${text}\n`);

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`Node.js 20.19 or newer is needed, this is ${process.versions.node}`);
  process.exit(1);
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) throw result.error;
  if (result.signal) process.kill(process.pid, result.signal);
  if (result.status !== 0) process.exit(result.status ?? 1);
}

function* filesBelow(path) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) return yield path;
  for (const entry of readdirSync(path).sort()) yield* filesBelow(join(path, entry));
}

function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((each) => [...filesBelow(join(root, each))])) {
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** Does `work` unless it was done for the same content of `paths` before. */
function once(name, paths, isThere, work) {
  const stamp = join(stamps, name);
  const digest = digestOf(paths);
  if (isThere && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, digestOf(paths));
}

function install() {
  once('installed', ['package.json', 'package-lock.json'], existsSync(join(root, 'node_modules')), () => {
    say('installing dependencies (npm ci)');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });
}

function build() {
  const inputs = [
    'src',
    'clients/typescript/src',
    'tsconfig.json',
    'tsconfig.build.json',
    'package-lock.json',
  ];
  once('built', inputs, existsSync(join(root, 'dist')), () => {
    say('building');
    run(bin('tsc'), ['-p', 'tsconfig.build.json']);
    // `npx forge` runs the file itself
    chmodSync(join(root, 'dist/src/cli.js'), 0o755);
  });
}

const node = (args) => run(process.execPath, args);

const commands = {
  start(args) {
    build();
    say('starting (migrations run by themselves)');
    // one process: signals reach the service as they are, and its exit code is ours
    process.chdir(root);
    process.argv = [process.argv[0], join(root, 'dist/src/main.js'), ...args];
    return import(join(root, 'dist/src/main.js'));
  },
  test(args) {
    say('running the tests');
    run(bin('vitest'), ['run', ...args]);
  },
  demo(args) {
    build();
    say('running the demo on a temporary directory');
    node(['--import', 'tsx', join(root, 'demo/main.ts'), ...args]);
  },
  check() {
    const steps = [
      ['format and lint', bin('biome'), ['check', '.']],
      ['types', bin('tsc'), ['--noEmit']],
      ['architecture', process.execPath, ['scripts/check-architecture.mjs']],
      ['dead code', bin('knip'), ['--no-config-hints']],
      // and once more without the tests: what only they use is dead in the service
      ['dead code of the service', bin('knip'), ['--production', '--no-config-hints']],
      ['licences', process.execPath, ['scripts/licences.mjs']],
      ['contract', process.execPath, ['--import', 'tsx', 'src/cli.ts', 'openapi', '--check']],
    ];
    for (const [name, command, args] of steps) {
      say(`checking ${name}`);
      run(command, args);
    }
  },
};

const [name, ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  say(`usage: node scripts/forge.mjs ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
requireNode();
install();
await command(args);
