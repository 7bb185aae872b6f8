import fs from 'node:fs';
import { dirname } from 'node:path';
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

const DISK_FULL = '53100';
const IO_ERROR = '58030';
/** ENOSPC among the numbers that the file system in WebAssembly throws. */
const WASM_ENOSPC = 51;
const CRASHES = new Set(['RuntimeError', 'ExitStatus', 'ErrnoError']);

function describe(error: unknown): PgliteFailure {
  // what the file system throws is no Error, and has no message
  const source = error as Partial<Record<keyof PgliteFailure | 'name' | 'errno', unknown>>;
  const name = String(source.name ?? typeof error);
  const failure: PgliteFailure = {
    message: typeof source.message === 'string' ? source.message : `${name} ${source.errno ?? ''}`.trim(),
  };
  if (typeof source.code === 'string') failure.code = source.code;
  if (source.errno === WASM_ENOSPC) failure.code = DISK_FULL;
  if (typeof source.constraint === 'string') failure.constraint = source.constraint;
  if (typeof source.detail === 'string') failure.detail = source.detail;
  const { code } = failure;
  if (code === DISK_FULL || code === IO_ERROR || CRASHES.has(name)) failure.isFatal = true;
  return failure;
}

/** What it needs to begin: a segment of its log, and some more. */
const ROOM_BYTES = 32 * 2 ** 20;

/** Why it could not be opened. It does not say so itself when the disk is full. */
function describeOpening(error: unknown, dataDir: string): PgliteFailure {
  const { bavail, bsize } = fs.statfsSync(dirname(dataDir));
  const room = bavail * bsize;
  if (room >= ROOM_BYTES) return describe(error);
  const mb = (bytes: number) => Math.floor(bytes / 2 ** 20);
  return { message: `its disk has ${mb(room)} MB left, and it needs ${mb(ROOM_BYTES)} MB`, code: DISK_FULL };
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

/** Its file system sets the permissions of each file that it makes, to 0666, whatever the process's umask is. */
function keepFilesPrivate(): void {
  const { chmodSync, fchmodSync } = fs;
  const ofOwner = (mode: fs.Mode): number => Number(mode) & 0o7700;
  // the module as this thread has it: no other code runs here
  fs.chmodSync = (path, mode) => chmodSync(path, ofOwner(mode));
  fs.fchmodSync = (fd, mode) => fchmodSync(fd, ofOwner(mode));
}

async function serve(port: MessagePort): Promise<void> {
  const send = (reply: PgliteReply) => port.postMessage(reply);
  const { dataDir } = workerData as { dataDir: string };
  keepFilesPrivate();
  let db: PGlite;
  try {
    db = await PGlite.create({ dataDir, extensions: { vector } });
  } catch (error) {
    send({ type: 'unusable', failure: describeOpening(error, dataDir) });
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
