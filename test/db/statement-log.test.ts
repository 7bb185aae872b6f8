import { expect, it } from 'vitest';
import type { Database, Queryable } from '../../src/db/database.ts';
import { type StatementEntry, statementEntry, watchStatements } from '../../src/db/statement-log.ts';

/** A database that answers every statement with a row, but for those that say so. */
function fakeDatabase(): Database {
  const queryable: Queryable = {
    async query(sql) {
      if (sql.includes('fail')) throw Object.assign(new Error('taken: Marta'), { code: '23505' });
      return { rows: [], rowCount: 1 };
    },
  };
  return {
    kind: 'server',
    ...queryable,
    transaction: (work) => work(queryable),
    snapshot: (work) => work(queryable),
    close: async () => undefined,
  };
}

it('tells each statement with its duration and rows, in transactions too, and never its values', async () => {
  const entries: StatementEntry[] = [];
  const db = watchStatements(fakeDatabase(), (statement) => entries.push(statementEntry(statement)));
  await db.query('select 1\n  from projects where name = $1', ['Marta']);
  await db.transaction((tx) => tx.query('update projects set name = $1', ['Marta']));
  await expect(db.query('fail $1', ['Marta'])).rejects.toThrow('taken');
  const ms = expect.any(Number);
  expect(entries).toEqual([
    { sql: 'select 1 from projects where name = $1', ms, rows: 1 },
    { sql: 'update projects set name = $1', ms, rows: 1 },
    { sql: 'fail $1', ms, failed: '23505' },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Marta');
});
