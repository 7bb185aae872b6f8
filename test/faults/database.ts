import { setTimeout as delay } from 'node:timers/promises';
import { call } from './client.ts';
import { type FaultDatabase, faultDatabases } from './databases.ts';
import { fillDisk, fillServerDisk } from './full-disk.ts';
import { type FaultServer, openFaultServer } from './postgres.ts';
import { startProviders } from './providers.ts';
import { chanceOf, rounds } from './rounds.ts';
import { type Service, startService } from './service.ts';
import { harmOf, type Row } from './table.ts';

const ROUNDS = 5;
const LEASE_SECONDS = 5;
const OUTAGE_MS = 3_000;
const PATIENCE_MS = 60_000;
/** Of readiness: its limit is a second, the rest is for a busy machine. */
const LONGEST_ANSWER_MS = 3_000;

/** What clients were told in a round. */
interface Tally {
  /** Of each status how many answers there were. */
  statuses: Record<number, number>;
  /** What was answered that must not be. */
  wrong: string[];
  /** Files whose upload, and files whose deletion, was acknowledged last. */
  kept: Set<string>;
  gone: Set<string>;
  /** Messages that were answered. */
  answered: Set<string>;
}

interface Round {
  service: Service;
  project: string;
  tally: Tally;
}

/** Sends a request and notes what came of it; the status, or 0 when the connection broke. */
async function ask({ service, tally }: Round, path: string, init: RequestInit): Promise<number> {
  try {
    const response = await fetch(service.url + path, init);
    const { status } = response;
    const text = await response.text();
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
    if (status === 500) tally.wrong.push(`${init.method} ${path} answered 500`);
    if (status === 503 && path !== '/readyz' && !text.startsWith('event:')) {
      const isTold = response.headers.has('retry-after') && text.includes('"database_unavailable"');
      if (!isTold) tally.wrong.push(`${init.method} ${path} answered 503: ${text.slice(0, 200)}`);
    }
    return status;
  } catch {
    tally.wrong.push(`${init.method} ${path} was not answered at all`);
    return 0;
  }
}

/** Until it is answered for good, as a client does that minds `Retry-After`. */
async function insist(round: Round, path: string, init: () => RequestInit): Promise<number> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const status = await ask(round, path, init());
    if ((status < 500 && status !== 409 && status !== 0) || Date.now() > deadline) return status;
    await delay(300);
  }
}

async function uploadAndDelete(round: Round, worker: number, until: () => boolean): Promise<void> {
  const { project, tally } = round;
  for (let number = 0; number === 0 || until(); number += 1) {
    const name = `note-${worker}-${number}.md`;
    const path = `/projects/${project}/files`;
    const uploaded = await insist(round, path, () => {
      const form = new FormData();
      form.set('file', new Blob([`# Note ${number}\n\nThe zanzibarite of worker ${worker}.`]), name);
      return { method: 'POST', headers: { prefer: 'respond-async' }, body: form };
    });
    if (uploaded < 300 && uploaded > 0) tally.kept.add(name);
    if (number % 3 !== 2) continue;
    const removed = await insist(round, `${path}/${name}`, () => ({ method: 'DELETE' }));
    if (removed < 300 || removed === 404) {
      tally.kept.delete(name);
      tally.gone.add(name);
    }
  }
}

async function converse(round: Round, until: () => boolean): Promise<void> {
  const { project, tally } = round;
  for (let number = 0; number === 0 || until(); number += 1) {
    const message = `${project}: remember sentence ${number}.`;
    const status = await insist(round, `/projects/${project}/turns`, () => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `${project}-${number}` },
      body: JSON.stringify({ message }),
    }));
    if (status === 201) tally.answered.add(message);
    else tally.wrong.push(`stuck: "${message}" was not answered: ${status}`);
  }
}

async function readiness(service: Service): Promise<{ ready: boolean; ms: number }> {
  const from = performance.now();
  const status = await fetch(`${service.url}/readyz`).then(
    (response) => response.status,
    () => 0,
  );
  return { ready: status === 200, ms: performance.now() - from };
}

async function untilReady(service: Service): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    if ((await readiness(service)).ready) return true;
    await delay(100);
  }
  return false;
}

/** Everything that must hold when the round is over; the first thing that does not is named. */
async function check({ service, project, tally }: Round): Promise<string> {
  if (tally.wrong[0] !== undefined) return tally.wrong[0];
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const files = (await call(service, 'GET', `/projects/${project}/files?limit=100`)).body.data;
    const open = files.filter(({ status }: { status: string }) => status !== 'completed');
    if (open.length > 0 && Date.now() < deadline) {
      await delay(300);
      continue;
    }
    if (open.length > 0)
      return `stuck: ${open[0].name} is ${open[0].status}, ${open[0].stage}: ${JSON.stringify(open[0].last_error)}`;
    const names: string[] = files.map(({ name }: { name: string }) => name);
    const lost = [...tally.kept].find((name) => !names.includes(name));
    if (lost !== undefined) return `lost: ${lost} was acknowledged and is gone`;
    const back = [...tally.gone].find((name) => names.includes(name));
    if (back !== undefined) return `doubled: ${back} was deleted and is there`;
    const doubled = files.find(({ version }: { version: number }) => version !== 1);
    if (doubled !== undefined) return `doubled: ${doubled.name} has ${doubled.version} versions`;
    break;
  }
  const turns = (await call(service, 'GET', `/projects/${project}/turns?limit=100`)).body.data;
  const stuck = turns.find(({ status }: { status: string }) => status !== 'completed');
  if (stuck)
    return `stuck: turn ${stuck.turn_number} is ${stuck.status}: ${stuck.error?.code}, attempt ${stuck.attempt}`;
  const messages: string[] = turns.map(({ message }: { message: string }) => message);
  if (new Set(messages).size !== messages.length) return 'doubled: a turn';
  return messages.length === tally.answered.size
    ? ''
    : `lost: ${messages.length} turns of ${tally.answered.size}`;
}

/** One kind of trouble: it is over when it returns. Null: it cannot be made here. */
type Trouble = ((server: FaultServer, random: () => number) => Promise<void>) | null;

const troublesOf = (server: FaultServer): Record<string, Trouble> => ({
  'backends terminated': async ({ terminate }, random) => {
    for (let times = 0; times < 5; times += 1) {
      await delay(random() * 500);
      await terminate();
    }
  },
  'tables locked': async ({ lockTables }) => lockTables(OUTAGE_MS),
  'server paused':
    server.pause &&
    (async ({ pause, resume }) => {
      pause?.();
      await delay(OUTAGE_MS);
      resume();
    }),
  'server crashed': server.crash && (async ({ crash }) => crash?.()),
});

async function breakOnce(
  service: Service,
  server: FaultServer,
  { name, trouble, number }: { name: string; trouble: NonNullable<Trouble>; number: number },
): Promise<Row> {
  const random = chanceOf(name, number).next;
  const project = `trouble-${number}-${name.replaceAll(' ', '-')}`;
  await call(service, 'POST', '/projects', { id: project, name: project });
  const tally: Tally = { statuses: {}, wrong: [], kept: new Set(), gone: new Set(), answered: new Set() };
  const round: Round = { service, project, tally };
  let isOver = false;
  const goesOn = () => !isOver;
  const clients = Promise.all([
    uploadAndDelete(round, 1, goesOn),
    uploadAndDelete(round, 2, goesOn),
    converse(round, goesOn),
  ]);
  let slowest = 0;
  let unready = 0;
  const probing = (async () => {
    while (!isOver) {
      const { ready, ms } = await readiness(service);
      slowest = Math.max(slowest, ms);
      if (!ready) unready += 1;
      await delay(50);
    }
  })();
  await delay(random() * 500);
  await trouble(server, random);
  const from = performance.now();
  const isBack = await untilReady(service);
  const backMs = Math.round(performance.now() - from);
  isOver = true;
  await Promise.all([clients, probing]);
  const failed = !isBack
    ? 'stuck: the service is not ready again'
    : slowest > LONGEST_ANSWER_MS
      ? `readiness took ${Math.round(slowest)} ms`
      : name === 'server paused' && unready === 0
        ? 'readiness stayed on'
        : await check(round);
  return {
    round: number,
    fault: name,
    database: 'server',
    answers: Object.entries(tally.statuses)
      .map(([status, count]) => `${status}x${count}`)
      .join(' '),
    unready,
    slowest_probe_ms: Math.round(slowest),
    back_ms: backMs,
    harm: harmOf(failed),
    failed: failed === '' ? '' : `${name}, round ${number}: ${failed}`,
  };
}

async function breakServer(db: FaultDatabase, rows: Row[]): Promise<void> {
  const server = await openFaultServer(db.settings.DATABASE_URL ?? '');
  const providers = await startProviders();
  const service = await startService({
    ...db.settings,
    ...providers.settings,
    TURN_LEASE_SECONDS: String(LEASE_SECONDS),
    JOB_LEASE_SECONDS: String(LEASE_SECONDS),
  });
  try {
    for (const [name, trouble] of Object.entries(troublesOf(server))) {
      if (!trouble)
        rows.push({ fault: name, skipped: 'this process cannot do that to this server', failed: '' });
      if (!trouble) continue;
      for (const number of rounds(ROUNDS)) {
        rows.push(await breakOnce(service, server, { name, trouble, number }));
      }
    }
    rows.push(await fillServerDisk(server));
  } finally {
    server.resume();
    await service.stop();
    await providers.close();
  }
}

/** Troubles of a real server while clients upload, delete and converse. */
export async function breakDatabase(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const open of faultDatabases()) {
    const db = await open();
    try {
      if (db.kind === 'server') await breakServer(db, rows);
    } finally {
      await db.remove();
    }
  }
  if (rows.length === 0) rows.push({ fault: 'server', skipped: 'TEST_DATABASE_URL is not set', failed: '' });
  rows.push(...(await fillDisk()));
  return rows;
}
