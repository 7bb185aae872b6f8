import type { Database } from './database.ts';

/** As Postgres takes names without quotes, so that what is shown can be typed. */
const ROLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/** What became of a role. */
export interface ServiceRole {
  name: string;
  /** It was not there before; it has no password yet. */
  created: boolean;
}

/**
 * Lets a role do what the service does and no more: reading and writing rows, those of later tables too, of the workspace that is
 * worked for. The tables stay those of the role that asks. Doing it again changes nothing.
 *
 * @throws Error for a name that is none, and for a role that row-level security does not hold
 */
export async function grantServiceRole(db: Database, name: string): Promise<ServiceRole> {
  if (!ROLE_NAME.test(name)) throw new Error(`"${name}" is no name for a role: use a-z, 0-9 and _`);
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ free: boolean; owner: string; schema: string }>(
      `select (r.rolsuper or r.rolbypassrls or pg_has_role(r.oid, c.relowner, 'usage')) as free,
         c.relowner::regrole::text as owner, c.relnamespace::regnamespace::text as schema
       from pg_class c left join pg_roles r on r.rolname = $1 where c.oid = to_regclass('projects')`,
      [name],
    );
    const found = rows[0];
    if (!found) throw new Error('there are no tables yet: run forge migrate first');
    if (found.free)
      throw new Error(`row-level security does not hold ${name}: it owns the tables, or is above all rules`);
    const created = found.free === null;
    if (created) await tx.query(`create role ${name} login`);
    const { schema, owner } = found;
    for (const statement of [
      `grant usage on schema ${schema} to ${name}`,
      `grant select, insert, update, delete on all tables in schema ${schema} to ${name}`,
      `revoke insert, update, delete on ${schema}.schema_migrations from ${name}`,
      `grant usage on all sequences in schema ${schema} to ${name}`,
      `alter default privileges for role ${owner} in schema ${schema} grant select, insert, update, delete on tables to ${name}`,
      `alter default privileges for role ${owner} in schema ${schema} grant usage on sequences to ${name}`,
    ])
      await tx.query(statement);
    return { name, created };
  });
}
