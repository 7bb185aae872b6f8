import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { selectProjectEvents } from '../../src/db/project-events.ts';
import { openTestDatabase } from '../helpers/database.ts';

/** The embedded database has one connection. */
const isServer = Boolean(process.env.TEST_DATABASE_URL);

const SCOPE = { workspaceId: 'default', projectId: 'p' };

async function withProjects(work: (db: Database) => Promise<void>): Promise<void> {
  const db = await openTestDatabase();
  try {
    for (const id of ['p', 'q'])
      await db.query(
        `insert into projects (workspace_id, project_id, name, state) values ('default', $1, $1, '{}')`,
        [id],
      );
    await work(db);
  } finally {
    await db.close();
  }
}

const rename = (db: Pick<Database, 'query'>, name: string, id = 'p') =>
  db.query(`update projects set name = $1 where project_id = $2`, [name, id]);
const insertFile = (db: Pick<Database, 'query'>, name: string) =>
  db.query(
    `insert into files (workspace_id, project_id, file_id, name, media_type, status, version)
     values ('default', 'p', $1, $1, 'text/plain', 'queued', 1)`,
    [name],
  );
const all = (db: Database) => selectProjectEvents(db, SCOPE, { after: 0, limit: 10_000 });

describe('events of a project', () => {
  it('are written with what they tell of, or not at all', async () => {
    await withProjects(async (db) => {
      await db.transaction(async (tx) => void (await insertFile(tx, 'a')));
      await db
        .transaction(async (tx) => {
          await insertFile(tx, 'b');
          throw new Error('broken off');
        })
        .catch(() => undefined);
      expect((await all(db)).map(({ subject }) => subject.name)).toEqual([undefined, 'a']);
    });
  });

  it('are numbered in the order in which they happen within a transaction', async () => {
    await withProjects(async (db) => {
      await db.transaction(async (tx) => {
        await insertFile(tx, 'a');
        await rename(tx, 'new');
        await tx.query(`delete from files where name = 'a'`);
      });
      expect((await all(db)).map(({ type }) => type)).toEqual([
        'project.created',
        'file.created',
        'project.renamed',
        'file.deleted',
      ]);
    });
  });
});

describe.skipIf(!isServer)('on several connections (on a server only)', () => {
  it('whoever reads on behind the last number that it has seen misses none, however transactions overlap', async () => {
    await withProjects(async (db) => {
      const WRITERS = 12;
      const EACH = 15;
      let writing = true;
      const seen: number[] = [];
      const read = async () => {
        for (const { seq } of await selectProjectEvents(db, SCOPE, { after: seen.at(-1) ?? 0, limit: 5 }))
          seen.push(seq);
      };
      const reader = (async () => {
        while (writing) await read();
      })();
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          for (let n = 0; n < EACH; n += 1)
            await db.transaction(async (tx) => {
              await insertFile(tx, `${writer}-${n}`);
              // what comes between the change and its commit differs from one to the next
              await tx.query('select pg_sleep($1)', [((writer * 7 + n * 3) % 5) / 1_000]);
            });
        }),
      );
      writing = false;
      await reader;
      for (let before = -1; before !== seen.length; ) {
        before = seen.length;
        await read();
      }
      expect(seen).toEqual((await all(db)).map(({ seq }) => seq));
      expect(seen).toHaveLength(WRITERS * EACH + 1);
    });
  });

  it('an earlier transaction that commits later has the higher number', async () => {
    await withProjects(async (db) => {
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let begun = (): void => undefined;
      const hasBegun = new Promise<void>((resolve) => {
        begun = resolve;
      });
      const slow = db.transaction(async (tx) => {
        await insertFile(tx, 'slow');
        begun();
        await held;
      });
      await hasBegun;
      await db.transaction(async (tx) => void (await insertFile(tx, 'fast')));
      expect((await all(db)).map(({ subject }) => subject.name)).toEqual([undefined, 'fast']);
      release();
      await slow;
      expect((await all(db)).map(({ subject }) => subject.name)).toEqual([undefined, 'fast', 'slow']);
    });
  });

  it('locks taken in different orders do not hold each other up', async () => {
    await withProjects(async (db) => {
      await insertFile(db, 'a');
      const touch = (tx: Pick<Database, 'query'>) =>
        tx.query(`update files set version = version + 1 where name = 'a'`);
      await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          db.transaction(async (tx) => {
            // both tell of the project, before and after the row that they share
            if (n % 2 === 0) await insertFile(tx, `f${n}`);
            await touch(tx);
            if (n % 2 === 1) await insertFile(tx, `f${n}`);
          }),
        ),
      );
      expect((await all(db)).filter(({ type }) => type === 'file.version_created')).toHaveLength(40);
    });
  });
});
