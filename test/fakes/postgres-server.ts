import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** What the server does with a statement: answers without rows, says nothing, hangs up, or fails with this SQLSTATE. */
export type StatementFate = 'ok' | 'silent' | 'cut' | { sqlState: string };

/** A server that speaks as much of Postgres' wire format (version 3) as it takes to go wrong on purpose. */
export interface FakePostgres {
  /** Of a database on it, without a password. */
  url: string;
  /** Statements as they came in, on all connections. */
  statements: string[];
  /** Names under which statements were to be kept; empty for one that is not. */
  prepared: string[];
  /** Connections that there have been. */
  connections: number;
  /** Breaks off every connection, and waits until that is done. */
  cutAll(): Promise<void>;
  close(): Promise<void>;
}

const AUTHENTICATED = message('R', int32(0));
const READY = message('Z', Buffer.from('I'));
const REFUSED_SETTING = failure('08P01', 'unsupported startup parameter: statement_timeout');
const DONE = message('C', Buffer.from('SELECT 0\0'));

/**
 * @param script what to do with a statement; it is answered when this gives nothing
 * @param options.isPooler it takes no settings for a session, as PgBouncer does
 */
export async function startFakePostgres(
  script: (sql: string) => StatementFate | undefined = () => 'ok',
  { isPooler = false } = {},
): Promise<FakePostgres> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    fake.connections += 1;
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    const fateOf = (sql: string): StatementFate => {
      fake.statements.push(sql);
      return script(sql) ?? 'ok';
    };
    speak(socket, { fateOf, isPooler, prepared: fake.prepared });
  });
  const fake: FakePostgres = {
    url: '',
    statements: [],
    prepared: [],
    connections: 0,
    async cutAll() {
      await Promise.all(
        [...sockets].map((socket) => {
          const closed = once(socket, 'close');
          socket.resetAndDestroy();
          return closed;
        }),
      );
    },
    async close() {
      await fake.cutAll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `postgres://forge@127.0.0.1:${(server.address() as AddressInfo).port}/forge`;
  return fake;
}

interface Manners {
  fateOf: (sql: string) => StatementFate;
  isPooler: boolean;
  prepared: string[];
}

function speak(socket: Socket, { fateOf, isPooler, prepared }: Manners): void {
  let received = Buffer.alloc(0);
  let isStarted = false;
  let parsed = '';
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    for (;;) {
      // the first message has no type
      const at = isStarted ? 1 : 0;
      if (received.length < at + 4) return;
      const length = at + received.readInt32BE(at);
      if (received.length < length) return;
      const type = isStarted ? String.fromCharCode(received[0] ?? 0) : 'startup';
      const body = received.subarray(at + 4, length);
      received = received.subarray(length);
      isStarted = true;
      if (type === 'startup' && isPooler && body.includes('_timeout')) socket.end(REFUSED_SETTING);
      else if (type === 'startup') socket.write(Buffer.concat([AUTHENTICATED, READY]));
      else if (type === 'Q') settle(socket, fateOf(textIn(body, 0)), []);
      else if (type === 'P') {
        prepared.push(textIn(body, 0));
        parsed = textIn(body, body.indexOf(0) + 1);
      } else if (type === 'S') settle(socket, fateOf(parsed), [message('1'), message('2'), message('n')]);
      else if (type === 'X') socket.end();
    }
  });
}

function settle(socket: Socket, fate: StatementFate, before: Buffer[]): void {
  if (fate === 'silent') return;
  if (fate === 'cut') socket.destroy();
  else if (fate === 'ok') socket.write(Buffer.concat([...before, DONE, READY]));
  else socket.write(Buffer.concat([failure(fate.sqlState), READY]));
}

function failure(sqlState: string, text = 'gone wrong on purpose'): Buffer {
  return message('E', Buffer.from(`SERROR\0C${sqlState}\0M${text}\0\0`));
}

function textIn(body: Buffer, from: number): string {
  return body.toString('utf8', from, body.indexOf(0, from));
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}
