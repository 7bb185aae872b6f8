import { request } from 'node:http';
import type { Database } from '../src/db/database.ts';
import { createFakeEmbeddingModel } from '../test/fakes/embedding-model.ts';
import { benchTargets, withBenchDatabase } from './bench-database.ts';
import { type BenchService, startService } from './bench-service.ts';
import { type Percentiles, percentilesOf } from './percentiles.ts';

const LISTENERS = [0, 100, 1_000, 2_000];
const FILES = 20;
const REQUESTS = 100;
/** The goal: so many times as long as with no listener. */
const GOAL = 2;

/** Milliseconds of `GET /files` while so many listen to the events of files that wait. */
export interface ListenersRow extends Percentiles {
  database: Database['kind'];
  listeners: number;
}

/** Opens an event stream and reads what comes; resolves with the first event. */
function listen(url: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const client = request(url, { agent: false, headers: { accept: 'text/event-stream' } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.on('data', (text: Buffer) => text.includes('event:') && resolve(() => client.destroy()));
      response.on('error', () => undefined);
    });
    client.on('error', reject);
    client.end();
  });
}

/** Files whose ingestion is not due: their rows stand as those of files in a long queue. */
async function makeWaitingFiles(service: BenchService, db: Database): Promise<void> {
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [`f${index}.md`, `# File ${index}\n\nA line.`]),
  );
  await service.makeProject('p', files);
  await db.query(`update files set status = 'queued'`);
}

async function measure(service: BenchService): Promise<Percentiles> {
  const times: number[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    const from = performance.now();
    await service.call('GET', '/projects/p/files');
    times.push(performance.now() - from);
  }
  return percentilesOf(times);
}

async function measureWith(service: BenchService, listeners: number): Promise<Percentiles> {
  const ends: (() => void)[] = [];
  while (ends.length < listeners) {
    const batch = Array.from({ length: Math.min(100, listeners - ends.length) }, (_, index) =>
      listen(`${service.base}/projects/p/files/f${index % FILES}.md/events`),
    );
    ends.push(...(await Promise.all(batch)));
  }
  const found = await measure(service);
  for (const end of ends) end();
  return found;
}

/** Other requests while many follow the ingestion of files: these must not notice. */
export async function runListenersBench(): Promise<ListenersRow[]> {
  const rows: ListenersRow[] = [];
  for (const server of benchTargets()) {
    await withBenchDatabase(server, async (db) => {
      const service = await startService(db, {}, { embeddingModel: createFakeEmbeddingModel() });
      await makeWaitingFiles(service, db);
      await measure(service);
      let alone = Number.NaN;
      for (const listeners of LISTENERS) {
        const found = await measureWith(service, listeners);
        if (listeners === 0) alone = found.p50;
        rows.push({ database: db.kind, listeners, ...found });
        const verdict = found.p50 <= GOAL * alone ? 'within' : 'OVER';
        console.log(
          `  ${db.kind.padEnd(8)} ${String(listeners).padStart(5)} listeners: p50 ${found.p50.toFixed(1)} ms, p95 ${found.p95.toFixed(1)} ms; ${verdict} ${GOAL}x`,
        );
      }
      await service.close();
    });
  }
  return rows;
}
