import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../faults/client.ts';
import { onServer } from '../faults/databases.ts';
import { processesOf } from '../faults/postgres.ts';
import { type Service, startService } from '../faults/service.ts';
import { type Row, say } from '../faults/table.ts';
import { ask, startStandby } from './standby.ts';

type Standby = NonNullable<Awaited<ReturnType<typeof startStandby>>>;
type Outcome = 'served' | 'behind' | 'failed';

const PROJECT = 'replica';
const NOTES = 30;

/** How many searches ended so since the service started. */
async function outcomes(service: Service): Promise<Record<Outcome, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const of = (outcome: Outcome): number =>
    Number(new RegExp(`forge_replica_searches_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1]);
  return { served: of('served'), behind: of('behind'), failed: of('failed') };
}

/** Writes a note with a word of its own, and searches for it as soon as it can be searched. */
async function writeAndFind(service: Service, word: string): Promise<string> {
  const files = `/projects/${PROJECT}/files`;
  const form = new FormData();
  form.set('file', new Blob([`# Note\n\nThe seal of pump ${word} was changed.\n`]), `${word}.md`);
  const stored = await fetch(service.url + files, { method: 'POST', body: form });
  if (stored.status >= 300) return `upload: ${stored.status}`;
  for (const end = Date.now() + 30_000; Date.now() < end; await delay(5)) {
    const { body } = await call(service, 'GET', `${files}/${word}.md`);
    if (body.status === 'completed') return (await isFound(service, word)) ? '' : `${word} is not found`;
    if (body.status === 'failed') return `ingest: ${JSON.stringify(body.error)}`;
  }
  return `${word} was not ready in time`;
}

async function isFound(service: Service, word: string): Promise<boolean> {
  const { status, body } = await call(service, 'POST', `/projects/${PROJECT}/search`, { query: word });
  return status === 200 && JSON.stringify(body.data).includes(word);
}

/** Does something, and says how many searches went where meanwhile, and how long the longest took that `work` tells of. */
async function measured(
  tried: string,
  service: Service,
  wanted: Outcome,
  work: () => Promise<string>,
): Promise<Row> {
  const before = await outcomes(service);
  const failed = await work().catch((error: unknown) => String(error));
  const after = await outcomes(service);
  const counts = {
    served: after.served - before.served,
    behind: after.behind - before.behind,
    failed_over: after.failed - before.failed,
  };
  const got = wanted === 'failed' ? counts.failed_over : counts[wanted];
  say(`  ${tried}: ${JSON.stringify(counts)}`);
  return { tried, ...counts, failed: failed || (got > 0 ? '' : `none was ${wanted}`) };
}

async function longestSearch(service: Service, word: string, times: number): Promise<string> {
  let longest = 0;
  for (let n = 0; n < times; n++) {
    const from = performance.now();
    if (!(await isFound(service, word))) return `${word} is not found`;
    longest = Math.max(longest, performance.now() - from);
  }
  say(`  the longest of ${times} searches: ${Math.round(longest)} ms`);
  return longest > 3_000 ? `a search took ${Math.round(longest)} ms` : '';
}

async function tryAll(service: Service, standby: Standby): Promise<Row[]> {
  await call(service, 'POST', '/projects', { id: PROJECT, name: 'Replica' });
  const rows: Row[] = [];
  rows.push(
    await measured(`${NOTES} notes, each searched at once`, service, 'served', async () => {
      for (let n = 0; n < NOTES; n++) {
        const failed = await writeAndFind(service, `qx${n}zv`);
        if (failed) return failed;
      }
      return '';
    }),
  );
  rows.push(
    await measured('standby stops to replay', service, 'behind', async () => {
      await ask(standby.url, 'select pg_wal_replay_pause()');
      try {
        return (await writeAndFind(service, 'paused7k')) || (await longestSearch(service, 'paused7k', 5));
      } finally {
        await ask(standby.url, 'select pg_wal_replay_resume()');
      }
    }),
  );
  rows.push(
    await measured('standby replays again', service, 'served', () => longestSearch(service, 'paused7k', 5)),
  );
  rows.push(
    await measured('standby hangs', service, 'failed', async () => {
      const processes = await processesOf(standby.pid);
      for (const pid of processes) process.kill(pid, 'SIGSTOP');
      try {
        return await longestSearch(service, 'qx3zv', 10);
      } finally {
        for (const pid of processes) process.kill(pid, 'SIGCONT');
      }
    }),
  );
  return rows;
}

/**
 * A service that searches on a standby of its server: what was written is found at once, and none of what befalls the standby
 * is seen by those who search.
 */
export async function readFromReplica(): Promise<Row[]> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return [{ skipped: 'TEST_DATABASE_URL names no server', failed: '' }];
  const database = await onServer(server);
  try {
    const url = database.settings.DATABASE_URL ?? server;
    const standby = await startStandby(url);
    if (standby === null)
      return [{ skipped: 'the programs of this version of Postgres are not installed', failed: '' }];
    const settings = { ...database.settings, DATABASE_READ_URL: standby.url, EMBEDDING_PROVIDER: 'off' };
    try {
      const service = await startService(settings);
      try {
        const rows = await tryAll(service, standby);
        await standby.stop();
        rows.push(
          await measured('standby is gone', service, 'failed', () => longestSearch(service, 'qx3zv', 20)),
        );
        return rows;
      } finally {
        await service.stop();
      }
    } finally {
      await standby.stop();
    }
  } finally {
    await database.remove();
  }
}
