import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { AppError } from '../../errors.ts';
import { networksOf } from '../../networks.ts';
import { refuseConnection } from './broken-requests.ts';

/** How many connections there may be at a time; 0: as many as come. */
export interface ConnectionLimits {
  all: number;
  perAddress: number;
  /** Addresses and networks (`10.0.0.0/8`) of proxies, which have the connections of many. */
  proxies: readonly string[];
}

const RETRY_SECONDS = 5;

function refuse(socket: Socket, perAddress: number): void {
  const detail = `There are ${perAddress} connections from this address, and may be no more. Close some, or use them again.`;
  refuseConnection(socket, new AppError('overloaded', { detail, retryAfterSeconds: RETRY_SECONDS }));
}

/** Keeps one address from taking all connections, and all from taking the process. */
export function limitConnections(server: Server, { all, perAddress, proxies }: ConnectionLimits): void {
  if (all > 0) server.maxConnections = all;
  if (perAddress === 0) return;
  const trusted = networksOf(proxies);
  const held = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    const count = (held.get(address) ?? 0) + 1;
    held.set(address, count);
    socket.once('close', () => {
      const left = (held.get(address) ?? 1) - 1;
      if (left > 0) held.set(address, left);
      else held.delete(address);
    });
    if (count > perAddress) refuse(socket, perAddress);
  });
}
