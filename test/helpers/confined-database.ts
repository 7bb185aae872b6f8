import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { grantServiceRole } from '../../src/db/service-role.ts';
import { openTestDatabase } from './database.ts';

/** A role of the whole server, which all test databases share. */
const ROLE = 'forge_test_service';

/** A database as its owner sees it, and as a role that row-level security holds to a workspace. */
export interface ConfinedDatabase {
  owner: Database;
  confined: Database;
}

async function urlOf(owner: Database): Promise<string> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name');
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${rows[0]?.name}`;
  url.username = ROLE;
  url.password = ROLE;
  return url.href;
}

/** A fresh, migrated database on the server of TEST_DATABASE_URL, gone when either of the two is closed. */
export async function openConfinedDatabase(): Promise<ConfinedDatabase> {
  const owner = await openTestDatabase();
  // roles are of the whole server: another test may have made it
  await owner.query(`create role ${ROLE} login password '${ROLE}'`).catch((error: unknown) => {
    if (!/already exists|duplicate key/.test(String(error))) throw error;
  });
  await grantServiceRole(owner, ROLE);
  const confined = await openDatabase({ url: await urlOf(owner), dataDir: '', poolSize: 4 });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= confined.close().then(() => owner.close());
    return closing;
  };
  return { owner: { ...owner, close }, confined: { ...confined, close } };
}
