import { expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { patientDatabase } from '../../src/db/patience.ts';
import { DatabaseError } from '../../src/errors.ts';

const outage = (mayGoThrough: boolean) => new DatabaseError('unavailable', new Error('gone'), mayGoThrough);

/** A database that fails so often before it answers. */
function failing(error: Error, times: number) {
  let asked = 0;
  const answer = async () => {
    asked += 1;
    if (asked <= times) throw error;
    return { rows: [], rowCount: asked };
  };
  const db = { kind: 'server', query: answer, transaction: answer, close: answer } as unknown as Database;
  return { db, asked: () => asked };
}

it('waits an outage out, and tells of it', async () => {
  const { db } = failing(outage(true), 2);
  const told: DatabaseError[] = [];
  const patient = patientDatabase(db, { forMs: 10_000, onPause: (error) => told.push(error) });
  await expect(patient.query('select 1')).resolves.toMatchObject({ rowCount: 3 });
  await expect(patient.transaction(async () => undefined)).resolves.toBeDefined();
  expect(told).toHaveLength(2);
});

it('does nothing again that may have been done, or that failed by itself', async () => {
  for (const error of [outage(false), new Error('duplicate key')]) {
    const { db, asked } = failing(error, 1);
    await expect(patientDatabase(db, { forMs: 10_000 }).query('select 1')).rejects.toBe(error);
    expect(asked()).toBe(1);
  }
});

it('gives up when its time is over', async () => {
  const { db, asked } = failing(outage(true), Number.POSITIVE_INFINITY);
  await expect(patientDatabase(db, { forMs: 0 }).query('select 1')).rejects.toThrow('gone');
  expect(asked()).toBe(1);
});
