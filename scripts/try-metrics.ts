// `npm run test:metrics`: lets a real Prometheus scrape a service with the offline model on an embedded database, and asks it
// every query of the dashboard and every rule. Without Prometheus it says so, and does nothing. What needs none is in test/deploy/.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { readConfig } from '../src/config.ts';
import { createContainer } from '../src/container.ts';
import { readDashboard } from './dashboard.ts';

const RULES = resolve('deploy/prometheus/rules.yml');
const DEADLINE_MS = 120_000;
/** These have nothing to show while nothing fails, and nobody makes calls that cost. */
const MAY_BE_EMPTY = /provider_(failures|retries|fallbacks|cost)|status=~"5/;

function run(command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}:\n${stdout}${stderr}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null);
  server.close();
  await once(server, 'close');
  return address.port;
}

/** Asks again and again until there is an answer. */
async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  for (const end = Date.now() + DEADLINE_MS; ; await delay(250)) {
    const answer = await ask();
    if (answer !== null) return answer;
    assert(Date.now() < end, `${what}: not within ${DEADLINE_MS / 1_000} seconds`);
  }
}

/** The configuration that is deployed, with this service and a quicker pace. */
async function startPrometheus(
  folder: string,
  target: string,
): Promise<{ url: string; process: ChildProcess }> {
  const config = await readFile('deploy/prometheus/prometheus.yml', 'utf8');
  const changed = config
    .replaceAll(/(scrape|evaluation)_interval: \w+/g, '$1_interval: 1s')
    .replace('rules.yml', RULES)
    .replace('127.0.0.1:3000', target);
  const path = join(folder, 'prometheus.yml');
  await writeFile(path, changed);
  run('promtool', 'check', 'config', path);
  const port = await freePort();
  const options = [
    `--config.file=${path}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  return {
    url: `http://127.0.0.1:${port}`,
    process: spawn('prometheus', [...options, '--log.level=error'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  };
}

async function makeTraffic(base: string, project: string): Promise<void> {
  async function post(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert(response.ok, `${path}: ${response.status} ${await response.text()}`);
  }
  await post('/projects', { id: project, name: 'Kiosk' });
  for (const name of ['plan.md', 'again.md']) {
    const form = new FormData();
    form.append('file', new Blob(['# Plan\n\nMarta decides when the kiosk opens.\n']), name);
    const response = await fetch(`${base}/projects/${project}/files`, {
      method: 'POST',
      headers: { prefer: 'wait=60' },
      body: form,
    });
    assert(response.ok, `upload: ${response.status} ${await response.text()}`);
  }
  await post(`/projects/${project}/turns`, { message: 'Who decides when the kiosk opens?' });
  await post(`/projects/${project}/search`, { query: 'kiosk' });
  await post(`/projects/${project}/research`, { question: 'Who decides when the kiosk opens?' });
  await fetch(`${base}/projects/${project}/files/none.md`);
}

const answerSchema = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.unknown()) }),
});
const rulesSchema = z.object({
  data: z.object({
    groups: z.array(
      z.object({ rules: z.array(z.object({ name: z.string(), query: z.string(), health: z.string() })) }),
    ),
  }),
});

/** How many series a query gives; null when Prometheus does not answer yet. */
async function ask(url: string, query: string): Promise<number | null> {
  const response = await fetch(`${url}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query }),
  }).catch(() => null);
  if (response === null || response.status === 503) return null;
  const text = await response.text();
  assert.equal(response.status, 200, `${query}: ${text}`);
  return answerSchema.parse(JSON.parse(text)).data.result.length;
}

async function evaluatedRules(url: string) {
  return until('the rules are evaluated', async () => {
    const response = await fetch(`${url}/api/v1/rules`);
    const rules = rulesSchema.parse(await response.json()).data.groups.flatMap((group) => group.rules);
    return rules.some(({ health }) => health === 'unknown') ? null : rules;
  });
}

async function check(base: string, url: string): Promise<void> {
  const some = async (query: string) => ((await ask(url, query)) ? true : null);
  await until('Prometheus scrapes the service', () => some('up{job="forge"} == 1'));
  // a rate needs two samples of a series, and a series begins with what is first counted in it
  await makeTraffic(base, 'first');
  await until('the first samples', () => some('forge_runs_total{kind="research"}'));
  await makeTraffic(base, 'second');
  await until('the samples of the traffic', () => some('rate(forge_runs_total{kind="research"}[5m]) > 0'));
  const rules = await evaluatedRules(url);
  for (const { name, health } of rules) assert.equal(health, 'ok', name);
  const queries = await readDashboard();
  const empty: string[] = [];
  for (const query of queries) {
    const series = await ask(url, query.replaceAll('$__rate_interval', '5m'));
    if (!series && !MAY_BE_EMPTY.test(query)) empty.push(query);
  }
  assert.deepEqual(empty, [], 'queries of the dashboard that found nothing');
  process.stdout.write(`${rules.length} rules and ${queries.length} queries of the dashboard: ok\n`);
}

async function main(): Promise<void> {
  if (spawnSync('prometheus', ['--version']).error || spawnSync('promtool', ['--version']).error) {
    process.stdout.write('skipped: there is no prometheus here\n');
    return;
  }
  run('promtool', 'check', 'rules', RULES);
  run('promtool', 'test', 'rules', 'deploy/prometheus/rules.test.yml');
  const folder = await mkdtemp(join(tmpdir(), 'forge-metrics-'));
  const settings = readConfig({ DATA_DIR: join(folder, 'forge'), LOG_LEVEL: 'silent', PORT: '0' });
  const container = await createContainer(settings, pino({ level: 'silent' }));
  let prometheus: ChildProcess | undefined;
  try {
    const base = await container.app.listen({ host: '127.0.0.1', port: 0 });
    const started = await startPrometheus(folder, new URL(base).host);
    prometheus = started.process;
    await check(base, started.url);
  } finally {
    if (prometheus && prometheus.exitCode === null) {
      prometheus.kill();
      await once(prometheus, 'exit');
    }
    await container.close();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
