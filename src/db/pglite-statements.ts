import { type PGlite, parse, protocol } from '@electric-sql/pglite';
import pg from 'pg';
import { REAL_ARRAY } from './real-array.ts';
import { statementName } from './statement-names.ts';

const { serialize } = protocol;

/** int8, bytea, interval, int8[] and numeric[]: the types that PGlite reads differently from node-postgres. */
const PARITY_OIDS = [20, 17, 1186, 1016, 1231];

const parsers = Object.fromEntries(
  PARITY_OIDS.map((oid) => {
    const parseText = pg.types.getTypeParser(oid, 'text') as (value: string) => unknown;
    return [oid, (value: string | null) => (value === null ? null : parseText(value))];
  }),
);

const BYTEA = 17;

/** What comes as bytes goes on as bytes, as with node-postgres. */
const serializers = Object.fromEntries(
  [BYTEA, REAL_ARRAY].map((oid) => [oid, (value: unknown) => value as string]),
);

/**
 * How long a plan is kept. It goes by how large the tables were when it was made, and nothing tells this database that they have
 * grown: a server's autovacuum does.
 */
const PLANS_KEPT_MS = 60_000;

type Messages = Awaited<ReturnType<PGlite['execProtocol']>>['messages'];
type Results = ReturnType<typeof parse.parseResults>[number];

/** A statement that the database keeps by its name. */
interface Prepared {
  name: string;
  /** Types of its parameters. */
  types: readonly number[];
  /** The message that says which columns its rows have; none where it gives no rows. */
  columns: Messages;
}

const join = (...messages: readonly Uint8Array[]): Uint8Array => Buffer.concat(messages);

/**
 * The statements of one embedded database. One with parameters is kept after its first time: to parse it, to ask for its types and to
 * plan it each time anew took four fifths of what a short one takes.
 *
 * @param now in milliseconds
 */
export function createStatements(db: PGlite, now: () => number = () => performance.now()) {
  const prepared = new Map<string, Prepared>();
  let plannedSince = now();

  async function prepare(name: string, sql: string): Promise<Prepared> {
    const asked = [serialize.parse({ name, text: sql }), serialize.describe({ type: 'S', name })];
    const { messages } = await db.execProtocol(join(...asked, serialize.sync()));
    const columns = messages.filter((message) => message.name === 'rowDescription');
    return { name, types: parse.parseDescribeStatementResults(messages), columns };
  }

  function written(value: unknown, type: number | undefined): string | null {
    if (value === null || value === undefined) return null;
    const write = type === undefined ? undefined : (serializers[type] ?? db.serializers[type]);
    return write ? write(value) : String(value);
  }

  async function execute({ name, types, columns }: Prepared, params: readonly unknown[]): Promise<Results[]> {
    const values = params.map((value, index) => written(value, types[index]));
    const asked = [serialize.bind({ statement: name, values }), serialize.execute({})];
    const { messages } = await db.execProtocol(join(...asked, serialize.sync()));
    return parse.parseResults([...columns, ...messages], db.parsers, { parsers });
  }

  async function forgetOldPlans(): Promise<void> {
    if (now() - plannedSince < PLANS_KEPT_MS) return;
    plannedSince = now();
    await db.exec('discard plans');
  }

  return {
    /**
     * Runs a statement, or without parameters a text of several, whose last result it is.
     *
     * @throws what the database throws
     */
    async run(sql: string, params: readonly unknown[] | undefined): Promise<Results | undefined> {
      if (params === undefined) return (await db.exec(sql, { parsers })).at(-1);
      const name = statementName(sql);
      if (name === undefined) return db.query(sql, [...params], { parsers, serializers });
      await forgetOldPlans();
      const known = prepared.get(sql) ?? (await prepare(name, sql));
      prepared.set(sql, known);
      return (await execute(known, params)).at(-1);
    },
  };
}
