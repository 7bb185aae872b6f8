// `npm run test:containers`: builds the image and lives through its days with it: confined, composed, stopped, upgraded with data,
// backed up and restored. Without a container engine it says so, and does nothing. The offline model answers.
//
//   --from REF       the version to upgrade from (default: the commit before this one)
//   --image NAME     an image that is built already, instead of building one; --old-image NAME the same of the older version
//   --build-arg A    handed to `docker build`, may be given several times; for instance --build-arg=--network=host
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const MOST_MB = 300;
/** Most that a stop may take; the container is killed after its grace of 30 s. */
const MOST_STOP_SECONDS = 25;
const CONFINED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
const DOCUMENT = 'demo/documents/stakeholder-notes.md';
const QUESTION = 'Who wants the dashboard, and who is against it?';
/** Made up for each run, so that what is taken away at the end is of this run alone. */
const RUN = `forge-try-${randomBytes(4).toString('hex')}`;

const { values: options } = parseArgs({
  options: {
    from: { type: 'string', default: 'HEAD~1' },
    image: { type: 'string' },
    'old-image': { type: 'string' },
    'build-arg': { type: 'string', multiple: true, default: [] },
  },
});

const results: [what: string, result: string][] = [];
function note(what: string, result: string): void {
  results.push([what, result]);
  console.log(`  ${what}: ${result}`);
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Runs docker and gives what it printed. */
function docker(...args: string[]): string {
  return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

async function seconds(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
const inSeconds = (time: number) => `${time.toFixed(1)} s`;

/** Calls the service until it answers 200, at most two minutes. */
async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    // a port that is published and not listened on yet can leave a request without an answer or an error
    const answer = await Promise.race([fetch(`${url}/readyz`).catch(() => undefined), setTimeout(2_000)]);
    if (answer?.ok) return;
    check(Date.now() < deadline, `${url} was not ready within two minutes`);
    await setTimeout(250);
  }
}

async function call(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(120_000), ...init });
  const text = await answer.text();
  check(answer.ok, `${init.method ?? 'GET'} ${url}: ${answer.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as Record<string, unknown>;
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function turn(url: string): Promise<void> {
  const answer = await call(`${url}/projects/tried/turns`, json({ message: QUESTION }));
  check(JSON.stringify(answer).includes('Priya Raman'), 'the turn did not find what the document says');
}

/** A project, a document and a turn about it. */
async function fill(url: string): Promise<void> {
  await call(`${url}/projects`, json({ id: 'tried', name: 'Tried in containers' }));
  const form = new FormData();
  form.set('file', new Blob([readFileSync(DOCUMENT)]), 'stakeholder-notes.md');
  await call(`${url}/projects/tried/files`, { method: 'POST', headers: { prefer: 'wait=60' }, body: form });
  await turn(url);
}

/** That the data of `fill` is there and still of use. */
async function verify(url: string): Promise<void> {
  const files = await call(`${url}/projects/tried/files`);
  check(JSON.stringify(files).includes('stakeholder-notes.md'), 'the file is gone');
  await call(`${url}/projects/tried/turns/1`);
  await turn(url);
}

/** Builds the image of a version of the repository; nothing of the working tree's own but for HEAD's uncommitted changes. */
async function build(tag: string, folder: string): Promise<void> {
  const time = await seconds(() =>
    execFileSync('docker', ['build', ...options['build-arg'], '-t', tag, folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
  note(`build of ${tag}`, inSeconds(time));
}

async function buildOlder(tag: string, work: string): Promise<void> {
  const folder = join(work, 'older');
  execFileSync('git', ['worktree', 'add', '--detach', folder, options.from], { stdio: 'ignore' });
  try {
    await build(tag, folder);
  } finally {
    execFileSync('git', ['worktree', 'remove', '--force', folder], { stdio: 'ignore' });
  }
}

function inspectImage(image: string): void {
  const megabytes = Number(docker('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6;
  note('size of the image', `${megabytes.toFixed(0)} MB (at most ${MOST_MB})`);
  check(megabytes < MOST_MB, 'the image is too large');
  const user = docker('image', 'inspect', '--format', '{{.Config.User}}', image);
  check(/^[1-9]\d*:/.test(user), `the image's user is "${user}"`);
  const read = 'process.stdout.write(String(JSON.parse(fs.readFileSync("sbom.cdx.json")).components.length))';
  note('packages in its bill of materials', docker('run', '--rm', ...CONFINED, image, 'node', '-e', read));
}

const portOf = (container: string) => docker('port', container, '3000').split('\n')[0]?.split(':').at(-1);

async function stopInTime(what: string, stop: () => unknown): Promise<void> {
  const time = await seconds(stop);
  note(what, inSeconds(time));
  check(time < MOST_STOP_SECONDS, 'it did not stop by itself');
}

/** The image alone, with the embedded database: a first start, a stop, and a second start on the same volume. */
async function tryConfined(image: string): Promise<void> {
  const name = `${RUN}-alone`;
  const confined = [...CONFINED, '-e', 'ALLOW_OPEN=true', '-v', `${name}:/data`, '-p', '127.0.0.1::3000'];
  const start = async () => {
    docker('run', '--detach', '--name', name, ...confined, image);
    const url = `http://127.0.0.1:${portOf(name)}`;
    await untilReady(url);
    return url;
  };
  try {
    let url = '';
    note('first start, embedded database', inSeconds(await seconds(async () => (url = await start()))));
    await fill(url);
    await stopInTime('stop, embedded database', () => docker('stop', '--time', '30', name));
    check(docker('inspect', '--format', '{{.State.ExitCode}}', name) === '0', 'it did not end with 0');
    docker('rm', name);
    note('second start', inSeconds(await seconds(async () => (url = await start()))));
    await verify(url);
    docker('kill', name);
    // the same container: another one would wait until the lock of the killed one is stale
    docker('start', name);
    url = `http://127.0.0.1:${portOf(name)}`;
    await untilReady(url);
    await verify(url);
    note('killed and started again', 'the data is there');
  } finally {
    spawnSync('docker', ['rm', '--force', name]);
    spawnSync('docker', ['volume', 'rm', name]);
  }
}

/** A folder of root's, as a bind mount often is: the start says what to do. */
function tryForeignFolder(image: string): void {
  const foreign = ['--tmpfs', '/data:uid=0,gid=0,mode=0755', '-e', 'ALLOW_OPEN=true'];
  const { status, stderr } = spawnSync('docker', ['run', '--rm', ...CONFINED, ...foreign, image], {
    encoding: 'utf8',
  });
  check(
    status === 1 && stderr.includes('chown -R 1000:1000 /data'),
    `a folder of root's: ${status} ${stderr}`,
  );
  note("a data folder of root's", 'the start ends and says what to do');
}

/** The composition under a name of its own, on a free port, without this folder's .env. */
function composition(work: string, image: string) {
  const env = { ...process.env, FORGE_IMAGE: image, PORT: '0', COMPOSE_FILE: 'docker-compose.yml' };
  const fixed = ['compose', '--project-name', RUN, '--project-directory', work, '-f', 'docker-compose.yml'];
  const run = (args: string[], input?: Buffer): Buffer =>
    execFileSync('docker', [...fixed, ...args], { env, input, stdio: ['pipe', 'pipe', 'pipe'] });
  return {
    run,
    async up(): Promise<string> {
      run(['up', '--detach', '--no-build', '--wait']);
      const url = `http://${run(['port', 'forge', '3000']).toString().trim()}`;
      await untilReady(url);
      return url;
    },
  };
}

async function tryComposed(work: string, image: string, older: string): Promise<void> {
  const old = composition(work, older);
  const current = composition(work, image);
  try {
    note('compose up, older version', inSeconds(await seconds(async () => fill(await old.up()))));
    note('upgrade with data', inSeconds(await seconds(async () => verify(await current.up()))));
    const dump = current.run(['exec', '-T', 'database', 'pg_dump', '-U', 'forge', '-Fc', 'forge']);
    note('backup', `${(dump.length / 1024).toFixed(0)} KB`);
    await stopInTime('compose stop', () => current.run(['stop', 'forge']));
    await verify(await current.up());
    current.run(['down']);
    await verify(await current.up());
    note('stop, down and up again', 'the data is there');
    current.run(['down', '--volumes']);
    current.run(['up', '--detach', '--no-build', '--wait', 'database']);
    current.run(
      ['exec', '-T', 'database', 'pg_restore', '-U', 'forge', '-d', 'forge', '--exit-on-error'],
      dump,
    );
    await verify(await current.up());
    note('restored into a new database', 'the data is there');
  } finally {
    current.run(['down', '--volumes', '--timeout', '5']);
  }
}

/** The tests of the database in a container that they start themselves. */
function tryTestcontainers(): void {
  const { TEST_DATABASE_URL: _given, ...env } = process.env;
  const args = ['vitest', 'run', '--project', 'service', 'test/db/database.service.test.ts'];
  const { status, stdout } = spawnSync('npx', args, { encoding: 'utf8', env });
  check(status === 0, `the tests in a container failed:\n${stdout.slice(-2_000)}`);
  note('tests on a database of testcontainers', 'passed');
}

async function main(): Promise<void> {
  if (spawnSync('docker', ['version', '--format', '{{.Server.Version}}']).status !== 0) {
    console.log('containers: skipped, no container engine answers (DOCKER_HOST names one)');
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'forge-containers-'));
  try {
    const image = options.image ?? `${RUN}:current`;
    const older = options['old-image'] ?? `${RUN}:older`;
    if (!options.image) await build(image, '.');
    inspectImage(image);
    await tryConfined(image);
    tryForeignFolder(image);
    if (!options['old-image']) await buildOlder(older, work);
    await tryComposed(work, image, older);
    tryTestcontainers();
    console.log('\nwhat | result\n--- | ---');
    for (const row of results) console.log(row.join(' | '));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await main();
