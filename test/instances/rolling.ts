import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../src/package-root.ts';
import { call } from '../faults/client.ts';
import { onServer } from '../faults/databases.ts';
import { startProviders } from '../faults/providers.ts';
import { type Service, startService } from '../faults/service.ts';
import { type Row, say } from '../faults/table.ts';
import { openStream } from '../helpers/sse.ts';
import { checkOutPreviousRelease } from './previous-release.ts';

interface Pair {
  /** Takes the requests. */
  by: Service;
  /** Is asked about what came of them. */
  seenBy: Service;
  /** Gets a repeated request. */
  repeatedTo: Service;
}

/** Since this migration a key of a request belongs to a project; releases before it do not find such keys, nor the other way. */
const KEYS_OF_PROJECTS = '0017_keys_and_audit.sql';

const alone = (service: Service): Pair => ({ by: service, seenBy: service, repeatedTo: service });

class Unexpected extends Error {}

/** The body of an answer with one of these statuses. */
async function expectStatus(answer: ReturnType<typeof call>, ...statuses: number[]) {
  const { status, body } = await answer;
  if (!statuses.includes(status))
    throw new Unexpected(`${status} instead of ${statuses}: ${JSON.stringify(body)}`);
  return body;
}

function expectEqual(what: string, found: unknown, wanted: unknown): void {
  if (found !== wanted) throw new Unexpected(`${what} is ${String(found)} instead of ${String(wanted)}`);
}

async function upload({ by, seenBy }: Pair, project: string): Promise<void> {
  const path = `/projects/${project}/files`;
  const form = new FormData();
  form.set('file', new Blob([`# Pump\n\nThe pump of ${project} needs a new seal.\n`]), 'pump.md');
  const response = await fetch(by.url + path, {
    method: 'POST',
    headers: { prefer: 'respond-async' },
    body: form,
  });
  if (response.status !== 202) throw new Unexpected(`upload: ${response.status} ${await response.text()}`);
  for (const end = Date.now() + 60_000; ; await delay(100)) {
    const file = await expectStatus(call(seenBy, 'GET', `${path}/pump.md`), 200);
    if (file.status === 'completed') break;
    if (file.status === 'failed' || Date.now() > end) throw new Unexpected(`ingest: ${JSON.stringify(file)}`);
  }
  const passages = await expectStatus(
    call(seenBy, 'POST', `/projects/${project}/search`, { query: 'pump seal' }),
    200,
  );
  if (!JSON.stringify(passages).includes('needs a new seal')) throw new Unexpected('the text is not found');
}

async function turn({ by, seenBy, repeatedTo }: Pair, project: string): Promise<void> {
  const path = `/projects/${project}/turns`;
  const headers = { 'idempotency-key': `key-${project}` };
  const begun = await openStream(by.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ message: `Who decides about ${project}?` }),
  });
  await begun.until('context.assembled');
  const number = 1;
  const followed = await (await openStream(`${seenBy.url}${path}/${number}/events`)).all();
  const own = await begun.all();
  expectEqual('the end', own.at(-1)?.event, 'turn.completed');
  expectEqual('what the other instance tells', JSON.stringify(followed), JSON.stringify(own));
  const again = await expectStatus(
    call(repeatedTo, 'POST', path, { message: `Who decides about ${project}?` }, headers),
    200,
    201,
  );
  expectEqual('the replayed turn', again.status, 'completed');
  expectEqual('turns', (await expectStatus(call(seenBy, 'GET', path), 200)).data.length, 1);
}

async function remove({ by, seenBy }: Pair, project: string): Promise<void> {
  const path = `/projects/${project}`;
  await fetch(`${by.url}${path}/files/pump.md`, { method: 'DELETE' });
  await expectStatus(call(seenBy, 'GET', `${path}/files/pump.md`), 404);
  const { status } = await fetch(by.url + path, { method: 'DELETE' });
  if (status >= 300) throw new Unexpected(`the project was not deleted: ${status}`);
  await expectStatus(call(seenBy, 'GET', path), 404);
}

/** A project's life, begun by one instance and seen by the other. */
async function live(phase: string, name: string, pair: Pair): Promise<Row> {
  const project = `p-${phase}-${name}`.replaceAll(/[^a-z]+/g, '-');
  const row = { phase, by: name };
  const began = Date.now();
  try {
    await expectStatus(call(pair.by, 'POST', '/projects', { id: project, name: project }), 201);
    await upload(pair, project);
    await turn(pair, project);
    await remove(pair, project);
    return { ...row, tried: 'upload, turn, delete', ms: Date.now() - began, failed: '' };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return {
      ...row,
      tried: 'upload, turn, delete',
      ms: Date.now() - began,
      failed: `${phase}, ${name}: ${reason}`,
    };
  }
}

/** Lives one project after the other until it is told to end: something always is under way. */
function keepBusy(name: string, service: Service) {
  let isOver = false;
  const rows = (async () => {
    const all: Row[] = [];
    for (let round = 0; !isOver; round += 1) {
      const letter = String.fromCharCode(97 + (round % 26));
      all.push(await live(`meanwhile ${letter}`, name, alone(service)));
    }
    return all;
  })();
  return {
    async end(): Promise<Row[]> {
      isOver = true;
      return rows;
    },
  };
}

/**
 * The release before this one serves, this one comes beside it and migrates under its hands, both serve; then the older
 * goes, comes back on the newer schema, as it does when an upgrade is taken back, and goes for good.
 */
export async function rollOver(): Promise<Row[]> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return [{ skipped: 'TEST_DATABASE_URL names no server', failed: '' }];
  const previous = await checkOutPreviousRelease();
  if (previous === null) return [{ skipped: 'the history of the source is not here', failed: '' }];
  const db = await onServer(server);
  const providers = await startProviders();
  const settings = { ...db.settings, ...providers.settings, EDIT_DEBOUNCE_MS: '0', EDIT_INTERVAL_MS: '0' };
  const running = new Set<Service>();
  const start = async (root: string): Promise<Service> => {
    const service = await startService(settings, root);
    running.add(service);
    return service;
  };
  const stop = async (service: Service): Promise<void> => {
    await service.stop();
    running.delete(service);
  };
  const newestOf = async (root: string) => (await readdir(join(root, 'migrations'))).sort().at(-1) ?? '';
  const before = await newestOf(previous.root);
  const pair = (by: Service, seenBy: Service): Pair => ({
    by,
    seenBy,
    repeatedTo: before < KEYS_OF_PROJECTS ? by : seenBy,
  });
  say(`  ${previous.name} (${before}), then this one (${await newestOf(packageRoot)})`);
  try {
    const rows: Row[] = [];
    const older = await start(previous.root);
    rows.push(await live('before', 'older', alone(older)));
    const traffic = keepBusy('older', older);
    const newer = await start(packageRoot);
    rows.push(await live('beside', 'older', pair(older, newer)));
    rows.push(await live('beside', 'newer', pair(newer, older)));
    rows.push(...(await traffic.end()));
    await stop(older);
    const back = await start(previous.root);
    rows.push(await live('taken back', 'older', pair(back, newer)));
    await stop(back);
    rows.push(await live('after', 'newer', alone(newer)));
    return rows;
  } finally {
    for (const service of running) await service.stop();
    await providers.close();
    await db.remove();
    await previous.remove();
  }
}
