import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A repository of the hub: its commit, and its files by path. */
export interface HubRepository {
  commit: string;
  files: Readonly<Record<string, string | Uint8Array>>;
}

/** What the hub does to the next requests for a file, one after the other; then it serves it. */
export interface HubFault {
  status?: number;
  headers?: Record<string, string>;
  /** Sends so many bytes, and no more until `breakOff`. */
  stopAfter?: number;
  /** Sends all of it, whatever part was asked for. */
  ignoreRange?: boolean;
  redirectTo?: string;
}

/** A hub on this machine: `REPOSITORY/resolve/REVISION/PATH` leads to another address, which serves ranges. */
export async function startModelHub(repositories: Readonly<Record<string, HubRepository>>) {
  const faults = new Map<string, HubFault[]>();
  const asked: { path: string; range: string | undefined; revision: string }[] = [];
  const linkedHashes = new Map<string, string>();

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://hub');
    const [, repository = '', revision = '', path = ''] =
      /^\/(.+?)\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname.replace('/cdn', '')) ?? [];
    const found = repositories[repository];
    const bytes = found?.files[path];
    if (!found || bytes === undefined || (revision !== 'main' && revision !== found.commit)) {
      response.writeHead(404).end('Entry not found');
      return;
    }
    if (!url.pathname.startsWith('/cdn')) {
      asked.push({ path, revision, range: request.headers.range });
      const linked = linkedHashes.get(path);
      response.writeHead(302, {
        location: `/cdn${url.pathname}`,
        'x-repo-commit': found.commit,
        ...(linked !== undefined && { 'x-linked-etag': `"${linked}"` }),
      });
      response.end();
      return;
    }
    serve(Buffer.from(bytes), request, response, faults.get(path)?.shift());
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The requests that it was asked, before it led on. */
    asked,
    fail: (path: string, ...next: HubFault[]) => void faults.set(path, next),
    /** The hash that it says a large file has. */
    linkHash: (path: string, sha256: string) => void linkedHashes.set(path, sha256),
    /** Breaks all connections off. */
    breakOff: () => server.closeAllConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function serve(
  bytes: Buffer,
  { headers }: IncomingMessage,
  response: ServerResponse,
  fault: HubFault = {},
): void {
  if (fault.status !== undefined || fault.redirectTo !== undefined) {
    const place = fault.redirectTo === undefined ? {} : { location: fault.redirectTo };
    response.writeHead(fault.status ?? 302, { ...fault.headers, ...place }).end();
    return;
  }
  const from = fault.ignoreRange ? 0 : Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
  if (from > 0 && from >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end();
    return;
  }
  const rest = bytes.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': rest.length,
    ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (fault.stopAfter === undefined) response.end(rest);
  else response.write(rest.subarray(0, fault.stopAfter));
}
