import { expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { createSystemService } from '../../src/services/system.ts';

function serviceOn(query: () => Promise<never>) {
  const db = { kind: 'server', query, transaction: query, close: query } as unknown as Database;
  return createSystemService({
    db,
    embedding: { provider: 'local', model: 'none', dimensions: 2 },
    rerank: null,
    models: { provider: 'offline', answer: 'offline', router: 'offline', summary: 'offline' },
    health: { outages: () => [] } as never,
    draining: new AbortController().signal,
    answerMs: 10,
  });
}

it('is not ready while the database says nothing, and asks it one question at a time', async () => {
  let questions = 0;
  let answer = (): void => undefined;
  const system = serviceOn(() => {
    questions += 1;
    return new Promise((resolve) => {
      answer = () => resolve({ rows: [], rowCount: 0 } as never);
    });
  });
  const silent = { ready: false, status: 'unavailable', database: { ok: false } };
  expect(await system.readiness()).toMatchObject(silent);
  expect(await system.readiness()).toMatchObject(silent);
  expect(questions).toBe(1);
  answer();
});

it('is not ready when the database fails, and ready again when it does not', async () => {
  let fails = true;
  const system = serviceOn(() =>
    fails ? Promise.reject(new Error('gone')) : Promise.resolve({ rows: [], rowCount: 0 } as never),
  );
  expect((await system.readiness()).ready).toBe(false);
  fails = false;
  expect((await system.readiness()).ready).toBe(true);
});
