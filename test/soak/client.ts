import { connect } from 'node:net';

/** A client of the service that counts what it is answered. */
export interface SoakClient {
  url: string;
  /** A request whose answer is read whole. @throws Error for a failure on the service's side */
  send(method: string, path: string, init?: RequestInit): Promise<{ status: number; text: string }>;
  sendJson(method: string, path: string, body: unknown): Promise<{ status: number; text: string }>;
  /** Reads a stream up to some bytes and goes away. */
  abandon(method: string, path: string, body: unknown, bytes: number): Promise<void>;
  /** Sends bytes and closes the connection without reading on after the first answer. */
  raw(bytes: string): Promise<void>;
  /** How often each status was answered. */
  answers: Map<number, number>;
}

const PATIENCE_MS = 120_000;
/** Declared: load that is refused for now. */
const isFailure = (status: number): boolean => status >= 500 && status !== 503;

export function createSoakClient(url: string): SoakClient {
  const answers = new Map<number, number>();

  function note(status: number, what: string, text = ''): void {
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (isFailure(status)) throw new Error(`${what}: ${status} ${text.slice(0, 300)}`);
  }

  async function send(method: string, path: string, init: RequestInit = {}) {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url + path, { ...init, method, signal });
    const text = await response.text();
    note(response.status, `${method} ${path}`, text);
    return { status: response.status, text };
  }

  const asJson = (body: unknown): RequestInit => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  async function abandon(method: string, path: string, body: unknown, bytes: number): Promise<void> {
    const leaving = new AbortController();
    const response = await fetch(url + path, {
      ...(body !== undefined && asJson(body)),
      method,
      headers: {
        accept: 'text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    note(response.status, `${method} ${path}, as a stream`);
    let seen = 0;
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      seen += value?.length ?? 0;
      if (done || seen >= bytes) break;
    }
    leaving.abort();
  }

  function raw(bytes: string): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
      socket.setTimeout(1_000, () => socket.destroy());
      socket.once('data', () => socket.destroy());
      socket.once('error', () => undefined);
      socket.once('close', () => resolve());
    });
  }

  return {
    url,
    send,
    sendJson: (method, path, body) => send(method, path, asJson(body)),
    abandon,
    raw,
    answers,
  };
}
