import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import pg from 'pg';
import type { PgliteFailure, PgliteReply, PgliteRequest } from './pglite-protocol.ts';
import { REAL_ARRAY } from './real-array.ts';

// The thread of the embedded database: it holds the one PGlite instance and answers statements in order of arrival.

/** int8, bytea, interval, int8[] and numeric[]: the types that PGlite reads differently from node-postgres. */
const PARITY_OIDS = [20, 17, 1186, 1016, 1231];

const parsers = Object.fromEntries(
  PARITY_OIDS.map((oid) => {
    const parse = pg.types.getTypeParser(oid, 'text') as (value: string) => unknown;
    return [oid, (value: string | null) => (value === null ? null : parse(value))];
  }),
);

const BYTEA = 17;

/** What comes as bytes goes on as bytes, as with node-postgres. */
const serializers = Object.fromEntries(
  [BYTEA, REAL_ARRAY].map((oid) => [oid, (value: unknown) => value as string]),
);

function describe(error: unknown): PgliteFailure {
  const source = error as Partial<Record<keyof PgliteFailure, unknown>>;
  const failure: PgliteFailure = { message: error instanceof Error ? error.message : String(error) };
  if (typeof source.code === 'string') failure.code = source.code;
  if (typeof source.constraint === 'string') failure.constraint = source.constraint;
  if (typeof source.detail === 'string') failure.detail = source.detail;
  return failure;
}

async function answer(db: PGlite, request: PgliteRequest): Promise<PgliteReply> {
  try {
    const result =
      request.params === undefined
        ? (await db.exec(request.sql, { parsers })).at(-1)
        : await db.query<Record<string, unknown>>(request.sql, [...request.params], {
            parsers,
            serializers,
          });
    const rows = (result?.rows ?? []) as Record<string, unknown>[];
    return { type: 'result', id: request.id, rows, rowCount: rows.length || (result?.affectedRows ?? 0) };
  } catch (error) {
    return { type: 'failure', id: request.id, failure: describe(error) };
  }
}

async function serve(port: MessagePort): Promise<void> {
  const send = (reply: PgliteReply) => port.postMessage(reply);
  const { dataDir } = workerData as { dataDir: string };
  let db: PGlite;
  try {
    db = await PGlite.create({ dataDir, extensions: { vector } });
  } catch (error) {
    send({ type: 'unusable', message: describe(error).message });
    return;
  }
  let tail: Promise<void> = Promise.resolve();
  port.on('message', (request: PgliteRequest | 'close') => {
    tail = tail.then(async () => {
      if (request !== 'close') return send(await answer(db, request));
      await db.close();
      port.close();
    });
  });
  send({ type: 'ready' });
}

if (parentPort) await serve(parentPort);
