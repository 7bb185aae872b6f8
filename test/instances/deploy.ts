import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { onServer } from '../faults/databases.ts';
import { type HeldModel, startHeldModel, streamOnce } from '../faults/held-model.ts';
import { findProgram, freePort } from '../faults/program.ts';
import { type Service, startService } from '../faults/service.ts';
import type { Row } from '../faults/table.ts';
import { createPatientClient } from './patient-client.ts';
import { type ProxyName, type RunningProxy, startProxy } from './proxies.ts';

const INSTANCES = 3;
const TALKERS = 3;
const UPLOADERS = 2;
/** So that turns are under way whenever an instance is told to stop. */
const THINK_MS = 300;
/** Between one instance and the next, as a deployment's readiness has it. */
const SETTLE_MS = 1_500;
const BIG_BYTES = 20 * 1024 * 1024;
/** An answer that does not wait for the body is there by then. */
const EARLY_MS = 3_000;
const INGEST_MS = 90_000;

type Client = ReturnType<typeof createPatientClient>;

/** Three processes of the service, each replaced on its own port. */
async function startInstances(settings: Record<string, string>) {
  const ports: number[] = [];
  for (let number = 0; number < INSTANCES; number += 1) ports.push(await freePort());
  const start = (port: number) => startService({ ...settings, PORT: String(port) });
  const services: Service[] = [];
  for (const port of ports) services.push(await start(port));
  return {
    ports,
    async replaceAll(): Promise<void> {
      for (const [number, port] of ports.entries()) {
        await services[number]?.stop();
        services[number] = await start(port);
        await delay(SETTLE_MS);
      }
    },
    stop: () => Promise.all(services.map((service) => service.stop())),
  };
}

/** Whether what knows no such project says so before the body has come: only a proxy that hands bodies on lets it. */
async function refusesEarly(url: string): Promise<string> {
  const sending = request(`${url}/projects/nobody/files/big.pdf/content`, {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf', 'content-length': BIG_BYTES },
  });
  const answer = new Promise<string>((resolve) => {
    sending.once('response', (response) => {
      resolve(String(response.statusCode));
      response.resume();
    });
    sending.on('error', (error) => resolve(error.message));
  });
  sending.write(randomBytes(64 * 1024));
  const status = await Promise.race([answer, delay(EARLY_MS).then(() => 'nothing')]);
  sending.destroy();
  return status === '404' ? '' : `the answer to an upload that has only begun was ${status}, not 404`;
}

async function uploadBig(client: Client): Promise<string> {
  // not a PDF but for its first bytes: kept, and not embedded
  const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(BIG_BYTES - 9)]);
  const form = new FormData();
  form.set('file', new Blob([bytes]), 'big.pdf');
  const response = await client.send('POST', '/projects/p/files', {
    headers: { prefer: 'respond-async' },
    body: form,
  });
  const file = (await response.json()) as { bytes: number };
  return file.bytes === BIG_BYTES ? '' : `${file.bytes} bytes of an upload of ${BIG_BYTES} came`;
}

/** Talks in a project of its own until told to end; gives how many messages were sent. */
async function talk(client: Client, project: string, isOver: () => boolean): Promise<number> {
  let number = 0;
  while (!isOver()) {
    number += 1;
    const end = await client.converse(project, number, `Message ${number}.`);
    if (end !== 'turn.completed') throw new Error(`${project}: turn ${number} ended with ${end}`);
  }
  return number;
}

/** Uploads small files into a project of its own until told to end; gives how many. */
async function fill(client: Client, project: string, isOver: () => boolean): Promise<number> {
  let number = 0;
  while (!isOver()) {
    number += 1;
    const form = new FormData();
    form.set(
      'file',
      new Blob([`# Note ${number}\n\nThe valve ${number} of ${project} leaks.\n`]),
      `n${number}.md`,
    );
    await client.send('POST', `/projects/${project}/files`, {
      headers: { prefer: 'respond-async', 'idempotency-key': `${project}-${number}` },
      body: form,
    });
    await delay(THINK_MS);
  }
  return number;
}

interface Page {
  data: { status: string; message: string; filename: string }[];
  has_more: boolean;
  last_id: string | null;
}

/** All of a list: a slow machine is given more than a page has room for. */
async function list(client: Client, path: string): Promise<Page['data']> {
  const all: Page['data'] = [];
  for (let after = ''; ; ) {
    const page = (await (await client.send('GET', `${path}?limit=100${after}`)).json()) as Page;
    all.push(...page.data);
    if (!page.has_more || page.last_id === null) return all;
    after = `&after=${encodeURIComponent(page.last_id)}`;
  }
}

/** What is wrong with the turns of a project to which so many messages were sent. */
async function checkTurns(client: Client, project: string, sent: number): Promise<string> {
  const turns = await list(client, `/projects/${project}/turns`);
  const messages = new Set(turns.map(({ message }) => message));
  if (turns.length !== sent || messages.size !== sent) {
    return `${project}: ${turns.length} turns with ${messages.size} messages of ${sent} that were sent`;
  }
  const open = turns.find(({ status }) => status !== 'completed');
  return open ? `${project}: a turn is ${open.status}` : '';
}

async function checkFiles(client: Client, project: string, sent: number): Promise<string> {
  for (const end = Date.now() + INGEST_MS; ; await delay(200)) {
    const files = await list(client, `/projects/${project}/files`);
    if (files.length !== sent) return `${project}: ${files.length} files of ${sent} that were sent`;
    const waiting = files.find(({ status }) => status !== 'completed');
    if (!waiting) return '';
    if (waiting.status === 'failed' || Date.now() > end) return `${project}: a file is ${waiting.status}`;
  }
}

/** Replaces every instance under turns and uploads, through a proxy; what was sent must be there once, and whole. */
async function deploy(name: string, proxy: RunningProxy, replaceAll: () => Promise<void>) {
  const client = createPatientClient(proxy.url);
  let isOver = false;
  const make = async (prefix: string, count: number): Promise<string[]> => {
    const names = Array.from({ length: count }, (_, number) => `${name}-${prefix}${number}`);
    for (const id of names) await client.sendJson('POST', '/projects', { id, name: id });
    return names;
  };
  const talkers = await make('talker', TALKERS);
  const uploaders = await make('uploader', UPLOADERS);
  const traffic = Promise.all([
    Promise.all(talkers.map((project) => talk(client, project, () => isOver))),
    Promise.all(uploaders.map((project) => fill(client, project, () => isOver))),
  ]);
  traffic.catch(() => undefined);
  await replaceAll();
  isOver = true;
  const [turns, files] = await traffic;
  const problems = [
    ...(await Promise.all(talkers.map((project, at) => checkTurns(client, project, turns[at] ?? 0)))),
    ...(await Promise.all(uploaders.map((project, at) => checkFiles(client, project, files[at] ?? 0)))),
  ];
  const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);
  return {
    seen: { turns: sum(turns), files: sum(files), ...client.met },
    problem: problems.find((problem) => problem !== '') ?? '',
  };
}

async function tryProxy(
  name: string,
  proxy: RunningProxy,
  model: HeldModel,
  replaceAll: () => Promise<void>,
): Promise<Row> {
  let seen: Record<string, number> = {};
  const attempt = async (): Promise<string> => {
    const client = createPatientClient(proxy.url);
    await client.sendJson('POST', '/projects', { id: 'p', name: 'P' });
    const { words, whole, last } = await streamOnce(proxy.url, model);
    if (words !== 'at once' || !whole) return `the first words came ${words}, the last event was ${last}`;
    const refusal = await refusesEarly(proxy.url);
    if (refusal !== '') return refusal;
    const upload = await uploadBig(client);
    if (upload !== '') return upload;
    await client.send('DELETE', '/projects/p');
    const deployed = await deploy(name, proxy, replaceAll);
    seen = deployed.seen;
    return deployed.problem;
  };
  const problem = await attempt().catch((error: unknown) =>
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  );
  return { proxy: name, replaced: INSTANCES, ...seen, failed: problem === '' ? '' : `${name}: ${problem}` };
}

/**
 * Three instances behind a proxy as deploy/ has it: events and uploads pass as they come, and every instance is replaced
 * under turns and uploads without one that is lost, doubled, or answered with what a client does not get over.
 */
export async function deployBehind(name: ProxyName): Promise<Row[]> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return [{ proxy: name, skipped: 'TEST_DATABASE_URL names no server', failed: '' }];
  const program = findProgram(name);
  if (program === null) return [{ proxy: name, skipped: `${name} is not installed`, failed: '' }];
  const db = await onServer(server);
  const model = await startHeldModel(THINK_MS);
  const settings = { ...db.settings, ...model.settings, DATABASE_POOL_SIZE: '5', TRUST_PROXY: '127.0.0.1' };
  try {
    const instances = await startInstances(settings);
    const proxy = await startProxy(name, program, instances.ports);
    try {
      return [await tryProxy(name, proxy, model, instances.replaceAll)];
    } finally {
      await proxy.stop();
      await instances.stop();
    }
  } finally {
    await model.close();
    await db.remove();
  }
}
