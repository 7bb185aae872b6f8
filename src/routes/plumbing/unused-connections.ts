import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps account of the connections on which nothing was asked yet: browsers and load balancers open them ahead. Node.js
 * counts them as busy when it stops listening, and waits a minute for the request that never comes.
 *
 * @returns ends those there are
 */
export function watchUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
