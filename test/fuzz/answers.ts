import type { Socket } from 'node:net';
import { connect } from 'node:net';

/** The head of an answer. */
export interface Head {
  status: number;
  headers: Map<string, string>;
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/gm;

/** The heads of all answers in what a connection has brought. */
export function headsOf(text: string): Head[] {
  return [...text.matchAll(STATUS_LINE)].map((match) => {
    const from = (match.index ?? 0) + match[0].length;
    const end = text.indexOf('\r\n\r\n', from);
    const fields = text.slice(from, end === -1 ? undefined : end).split('\r\n');
    const headers = new Map(
      fields.map((field) => {
        const at = field.indexOf(':');
        return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()] as const;
      }),
    );
    return { status: Number(match[1]), headers };
  });
}

/** What is wrong with an answer, whatever was asked; empty when nothing is. */
export function faultOf({ status, headers }: Head): string {
  if (status < 200) return status === 100 ? '' : `${status} was answered`;
  if (!/^[\w.:-]{1,128}$/.test(headers.get('x-request-id') ?? '')) return `${status} without an X-Request-Id`;
  if (status === 503) return headers.has('retry-after') ? '' : '503 without Retry-After';
  if (status >= 500) return `${status} was answered`;
  const type = headers.get('content-type') ?? '';
  // errors of MCP are messages of JSON-RPC
  if (status < 400 || /^application\/(problem\+)?json\b/.test(type)) return '';
  return `${status} came as ${type || 'nothing'}`;
}

/** An answer may be followed by others, or by the end of the connection, which are waited for so long. */
const QUIET_MS = 80;
/** What is not whole is not answered: this is how long an answer is waited for. */
const SILENT_MS = 700;

/** Sends bytes, reads what comes, and goes; `abrupt` without a word, as soon as they are sent. */
export function exchange(port: number, bytes: Buffer, abrupt: boolean): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let timer: NodeJS.Timeout;
    const socket: Socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes, () => abrupt && socket.resetAndDestroy());
    });
    const wait = (ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), ms);
    };
    wait(SILENT_MS);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      wait(QUIET_MS);
    });
    // a refusal may close the connection while the rest is still being sent
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
  });
}
