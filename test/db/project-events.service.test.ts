import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { selectProjectEvents } from '../../src/db/project-events.ts';
import { deleteWorkspaceRow } from '../../src/db/workspaces.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';

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
const after = async (db: Database, seq: number, limit: number) =>
  (await selectProjectEvents(db, SCOPE, { after: seq, limit })).events;
const all = (db: Database) => after(db, 0, 10_000);

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
        for (const { seq } of await after(db, seen.at(-1) ?? 0, 5)) seen.push(seq);
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

  it('those of a workspace that is deleted are held in one order, whatever order its projects have', async () => {
    await withProjects(async (db) => {
      const feedOf = async (id: string) => {
        const { rows } = await db.query<{ feed: number }>(
          `select (hashtextextended('w/' || $1::text, 0) & 1023)::int as feed`,
          [id],
        );
        return { id, feed: rows[0]?.feed ?? 0 };
      };
      const projects = (await Promise.all(['a', 'b', 'c', 'd'].map(feedOf))).sort((x, y) => y.feed - x.feed);
      await db.query(`insert into workspaces (workspace_id, name) values ('w', 'w')`);
      for (const { id } of projects)
        await db.query(
          `insert into projects (workspace_id, project_id, name, state) values ('w', $1, $1, '{}')`,
          [id],
        );
      const [highest, ...others] = projects;
      const held = gate();
      const deleted = gate();
      const holder = db.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(20240, $1)', [highest?.feed]);
        held.open();
        await deleted.opened;
      });
      await held.opened;
      const deletion = db.transaction((tx) => deleteWorkspaceRow(tx, 'w'));
      const locks = async (granted: boolean) => {
        const { rows } = await db.query<{ feed: number }>(
          `select objid::int as feed from pg_locks where locktype = 'advisory' and classid = 20240 and granted = $1
             and database = (select oid from pg_database where datname = current_database())`,
          [granted],
        );
        return rows.map(({ feed }) => feed);
      };
      await expect.poll(() => locks(false)).toEqual([highest?.feed]);
      expect(await locks(true)).toEqual(expect.arrayContaining(others.map(({ feed }) => feed)));
      deleted.open();
      await Promise.all([holder, deletion]);
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
