import { expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { addQueueFigures } from '../../src/services/metrics/queue.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { readExposition } from '../helpers/exposition.ts';

function metricsOn(query: () => Promise<unknown>, keptMs: number) {
  const metrics = createMetrics();
  addQueueFigures(metrics.figures, { query } as unknown as Database, { keptMs, answerMs: 10 });
  return async () => readExposition(await metrics.read());
}
const DEPTH = 'forge_queue_jobs';

it('scrapes without the queue while the database fails', async () => {
  let fails = false;
  const queue = { kind: 'ingest_file', waiting: 3, failing: 1, running: 2, oldest_waiting_seconds: 7 };
  const read = metricsOn(
    () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve({ rows: [queue], rowCount: 1 })),
    0,
  );
  const up = await read();
  expect(up.value('forge_database_up')).toBe(1);
  expect(up.value(DEPTH, { kind: 'ingest_file', state: 'waiting' })).toBe(2);
  expect(up.value(DEPTH, { kind: 'ingest_file', state: 'retrying' })).toBe(1);
  expect(up.value('forge_queue_oldest_seconds', { kind: 'ingest_file' })).toBe(7);
  fails = true;
  const down = await read();
  expect(down.value('forge_database_up')).toBe(0);
  expect(down.value(DEPTH)).toBeUndefined();
});

it('asks a database that says nothing one question, and does not wait for it', async () => {
  let questions = 0;
  const read = metricsOn(() => {
    questions += 1;
    return new Promise(() => undefined);
  }, 60_000);
  expect((await read()).value('forge_database_up')).toBe(0);
  expect((await read()).value('forge_database_up')).toBe(0);
  expect(questions).toBe(1);
});

it('reads the queue once for all who scrape within some seconds', async () => {
  let questions = 0;
  const read = metricsOn(async () => {
    questions += 1;
    return { rows: [], rowCount: 0 };
  }, 60_000);
  await read();
  await read();
  expect(questions).toBe(1);
});
