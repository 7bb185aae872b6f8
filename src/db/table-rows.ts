import type { Queryable } from './database.ts';
import { askNodes, isOnCluster } from './distribution/nodes.ts';
import { functionsOfMigrations, tablesOfMigrations } from './migrate.ts';

/*
 * Whole tables of the service, whatever is in them, for backups: each value as the text that Postgres writes and reads
 * exactly, so that nothing here has to know what a column means.
 */

/** A table as the catalog has it. */
export interface TableShape {
  name: string;
  /** In their order; `type` as SQL names it. */
  columns: { name: string; type: string }[];
  /** Columns of the primary key. */
  key: string[];
}

/** A row as JSON: a list with the text of each column, null where there is none. */
export interface RowLine {
  line: string;
  /** The bytes of the one column that is not in the line but for its length; null: the table has no such column. */
  pieces: (() => AsyncGenerator<Buffer>) | null;
}

/** Whose values may be larger than what should be held at a time of many rows: read in pieces. */
const PIECEWISE: Readonly<Record<string, string>> = { file_versions: 'bytes' };
const PIECE_BYTES = 768 * 1024;

/** Rows of one answer: what can hold a document or a prompt one or few at a time. */
const ROWS_AT_ONCE: Readonly<Record<string, number>> = { file_versions: 1, turns: 20, research_runs: 20 };
const OTHER_ROWS_AT_ONCE = 500;

/** The column of a table that is read and written in pieces, if any. */
export const piecewiseColumn = (table: TableShape): string | undefined => PIECEWISE[table.name];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** So that the same values have the same text on every server, for the rest of a transaction. */
export async function pinFormats(tx: Queryable): Promise<void> {
  await tx.query(`set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
    set local extra_float_digits = 1; set local bytea_output = 'hex'`);
}

/** The service's tables that there are, each behind those that it refers to. */
export async function selectTables(db: Queryable): Promise<TableShape[]> {
  const names = (await tablesOfMigrations()).filter((name) => name !== 'schema_migrations');
  const { rows } = await db.query<TableShape & { refers_to: string[] }>(
    `select c.relname as name,
       (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select json_agg(a.attname order by a.attnum) from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as key,
       (select coalesce(json_agg(r.relname), '[]') from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname = any ($1::text[])
     order by c.relname`,
    [names],
  );
  const ordered: TableShape[] = [];
  const place = ({ refers_to, ...table }: (typeof rows)[number]): void => {
    if (ordered.some(({ name }) => name === table.name)) return;
    for (const before of rows) if (refers_to.includes(before.name)) place(before);
    ordered.push(table);
  };
  for (const row of rows) place(row);
  return ordered;
}

/** All rows of a table, in no particular order, by a cursor: only within a transaction, and no two at once. */
export async function* readRows(tx: Queryable, table: TableShape): AsyncGenerator<RowLine> {
  const large = piecewiseColumn(table);
  const cells = table.columns.map(({ name }) =>
    name === large ? `octet_length(${quoted(name)})` : `${quoted(name)}::text`,
  );
  const key = table.key.map((name) => `${quoted(name)}::text`).join(', ');
  await tx.query(
    `declare table_rows no scroll cursor for
     select json_build_array(${cells.join(', ')})::text as line, json_build_array(${key})::text as key from ${quoted(table.name)}`,
  );
  const page = ROWS_AT_ONCE[table.name] ?? OTHER_ROWS_AT_ONCE;
  for (;;) {
    const { rows } = await tx.query<{ line: string; key: string }>(`fetch ${page} from table_rows`);
    for (const { line, key: values } of rows) {
      const pieces = large === undefined ? null : () => readPieces(tx, table, large, JSON.parse(values));
      yield { line, pieces };
    }
    // where reading is broken off, the end of the transaction closes it
    if (rows.length < page) break;
  }
  await tx.query('close table_rows');
}

async function* readPieces(
  tx: Queryable,
  table: TableShape,
  column: string,
  key: readonly string[],
): AsyncGenerator<Buffer> {
  const typeOf = (name: string) => table.columns.find((each) => each.name === name)?.type ?? 'text';
  const isRow = table.key.map((name, index) => `${quoted(name)} = $${index + 3}::text::${typeOf(name)}`);
  for (let offset = 1; ; offset += PIECE_BYTES) {
    const { rows } = await tx.query<{ piece: Buffer }>(
      `select substring(${quoted(column)} from $1 for $2) as piece from ${quoted(table.name)} where ${isRow.join(' and ')}`,
      [offset, PIECE_BYTES, ...key],
    );
    const piece = rows[0]?.piece;
    if (!piece || piece.length === 0) return;
    yield piece;
    if (piece.length < PIECE_BYTES) return;
  }
}

/** A value as it is written: text that Postgres reads, or bytes. */
export type Cell = string | null | Buffer;

/** Writes rows as they were read, identities included. */
export async function insertRows(
  tx: Queryable,
  table: TableShape,
  rows: readonly (readonly Cell[])[],
): Promise<void> {
  const columns = table.columns.map(({ name }) => quoted(name)).join(', ');
  const into = `insert into ${quoted(table.name)} (${columns}) overriding system value`;
  if (piecewiseColumn(table) !== undefined) {
    const values = table.columns.map(({ type }, index) =>
      type === 'bytea' ? `$${index + 1}::bytea` : `$${index + 1}::text::${type}`,
    );
    for (const row of rows) await tx.query(`${into} values (${values.join(', ')})`, row);
    return;
  }
  const casts = table.columns.map(({ type }, index) => `c${index}::${type}`);
  const lists = table.columns.map((_, index) => `$${index + 1}::text[]`);
  const names = table.columns.map((_, index) => `c${index}`);
  await tx.query(
    `${into} select ${casts.join(', ')} from unnest(${lists.join(', ')}) as rows (${names.join(', ')})`,
    table.columns.map((_, index) => rows.map((row) => row[index] ?? null)),
  );
}

/** By the names of columns; `table` as an SQL literal of its quoted name. */
const identitiesSql = (table: string): string =>
  `select coalesce(json_object_agg(
     attname, coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, attname)::regclass), 0)), '{}') as given
   from pg_attribute where attrelid = to_regclass(${table}) and attidentity <> '' and not attisdropped`;

/**
 * The columns of a table that count by themselves, each with the last number that it has given; 0: none yet. On a cluster every node
 * counts in a range of its own: then it is the highest.
 */
export async function selectIdentities(db: Queryable, table: TableShape): Promise<Record<string, number>> {
  const sql = identitiesSql(`'${quoted(table.name)}'`);
  const { rows } = await db.query<{ given: Record<string, number> }>(sql);
  const given = rows[0]?.given ?? {};
  if (Object.keys(given).length === 0 || !(await isOnCluster(db))) return given;
  const nodes = await askNodes<Record<string, number>>(db, sql);
  return Object.fromEntries(
    Object.keys(given).map((name) => [name, Math.max(...nodes.map((node) => node[name] ?? 0))]),
  );
}

/**
 * Lets what counts by itself go on behind the highest number that there is, and behind the last that was given elsewhere, as
 * `selectIdentities` has it.
 *
 * @param leaving so many numbers behind these
 */
export async function continueIdentities(
  tx: Queryable,
  table: TableShape,
  given: Readonly<Record<string, number>>,
  leaving: number,
): Promise<void> {
  for (const name of Object.keys(await selectIdentities(tx, table))) {
    await tx.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(max(${quoted(name)}), $3::bigint) + $4::bigint + 1, false)
       from ${quoted(table.name)}`,
      [quoted(table.name), name, given[name] ?? 0, leaving],
    );
  }
}

/** The tables with rows that a service on a new database would not have made by itself. */
export async function tablesInUse(db: Queryable): Promise<string[]> {
  const ofEveryService = new Set(['settings', 'embedding_cache']);
  const used: string[] = [];
  for (const { name } of await selectTables(db)) {
    if (ofEveryService.has(name)) continue;
    const which = name === 'workspaces' ? `where workspace_id <> 'default'` : '';
    const { rows } = await db.query(`select 1 from ${quoted(name)} ${which} limit 1`);
    if (rows.length > 0) used.push(name);
  }
  return used;
}

/** Removes the rows of every table of the service: those that its migrations have put there. */
export async function clearTables(tx: Queryable): Promise<void> {
  for (const { name } of (await selectTables(tx)).toReversed()) await tx.query(`delete from ${quoted(name)}`);
}

/** Removes every table and function of the service, and nothing else that may be in the database. */
export async function dropSchema(tx: Queryable): Promise<void> {
  const tables = [...(await selectTables(tx)).map(({ name }) => name), 'schema_migrations'];
  await tx.query(`drop table if exists ${tables.map(quoted).join(', ')} cascade`);
  const { rows } = await tx.query<{ signature: string }>(
    `select oid::regprocedure::text as signature from pg_proc
     where pronamespace = current_schema()::regnamespace and proname = any ($1::text[])`,
    [await functionsOfMigrations()],
  );
  for (const { signature } of rows) await tx.query(`drop function ${signature} cascade`);
}

/** Checks now what would be checked at the end of the transaction: a table on which checks wait cannot be altered. */
export async function checkReferences(tx: Queryable): Promise<void> {
  await tx.query('set constraints all immediate');
}

/** Whether what is written to a table has the consequences that its triggers give it: what they did is in a backup already. */
export async function setTriggers(tx: Queryable, table: TableShape, enabled: boolean): Promise<void> {
  await tx.query(`alter table ${quoted(table.name)} ${enabled ? 'enable' : 'disable'} trigger user`);
}
