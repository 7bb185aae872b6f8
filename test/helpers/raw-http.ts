import { connect } from 'node:net';

/** An answer as it came through a socket. */
export interface RawAnswer {
  status: number;
  /** By name in small letters; the last of several. */
  headers: Record<string, string>;
  body: string;
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const at = field.indexOf(':');
      return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()];
    }),
  );
  return { status: Number(line.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}

/** Sends bytes as they are and gives what is answered until the other side closes the connection. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString())));
  });
}

/** The text of a request that closes its connection; headers as they are to be sent. */
export const requestText = (line: string, headers: string[], body = ''): string =>
  [`${line} HTTP/1.1`, ...headers, 'Connection: close', '', body].join('\r\n');

/** The port that an application listens on. */
export function portOf(app: { server: { address(): unknown } }): number {
  return (app.server.address() as { port: number }).port;
}
