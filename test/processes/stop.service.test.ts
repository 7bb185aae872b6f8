import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startService } from '../faults/service.ts';
import { stopUnderWay } from '../faults/stop.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-stop-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('answers who waits, breaks off what stands still, and is gone when it is told to stop', async () => {
  const { ends, phases } = await stopUnderWay({ DATA_DIR: folder });
  expect(Object.fromEntries(ends.map(({ what, told }) => [what, told]))).toEqual({
    upload: '202',
    body: '503',
    turn: 'turn.failed',
    file: 'file.progress',
    process: '0',
  });
  const order = ends.map(({ what }) => what);
  // a turn is given its share of the time; whose upload waits need not wait for that
  expect(order.filter((what) => what !== 'body')).toEqual(['upload', 'turn', 'file', 'process']);
  expect(order.indexOf('body')).toBeLessThan(order.indexOf('process'));
  const done = phases.filter((line) => line.endsWith(' is done')).map((line) => line.split(':')[0]);
  expect(done).toEqual(['refuse', 'turns', 'jobs', 'requests', 'parts']);
});

it('serves on while it is drained, not ready, and ends at once when it is told again', async () => {
  const service = await startService({
    DATA_DIR: folder,
    EMBEDDING_PROVIDER: 'off',
    SHUTDOWN_DELAY_SECONDS: '300',
  });
  service.tell('SIGTERM');
  await expect.poll(async () => (await fetch(`${service.url}/readyz`)).status).toBe(503);
  const made = await fetch(`${service.url}/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":"p","name":"P"}',
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('connection')).toBe('close');
  service.tell('SIGTERM');
  expect(await service.ended).toBe(1);
});
