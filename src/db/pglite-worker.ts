import fs from 'node:fs';
import { dirname } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import type { PgliteFailure, PgliteReply, PgliteRequest } from './pglite-protocol.ts';
import { createStatements } from './pglite-statements.ts';

// The thread of the embedded database: it holds the one PGlite instance and answers statements in order of arrival.

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

async function answer(
  statements: ReturnType<typeof createStatements>,
  { id, sql, params }: PgliteRequest,
): Promise<PgliteReply> {
  try {
    const result = await statements.run(sql, params);
    const rows = (result?.rows ?? []) as Record<string, unknown>[];
    return { type: 'result', id, rows, rowCount: rows.length || (result?.affectedRows ?? 0) };
  } catch (error) {
    return { type: 'failure', id, failure: describe(error) };
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
  const statements = createStatements(db);
  let tail: Promise<void> = Promise.resolve();
  port.on('message', (request: PgliteRequest | 'close') => {
    tail = tail.then(async () => {
      if (request !== 'close') return send(await answer(statements, request));
      await db.close();
      port.close();
    });
  });
  send({ type: 'ready' });
}

if (parentPort) await serve(parentPort);
