import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  AddressNotAllowed,
  isPublicAddress,
  publicLookup,
} from '../../../src/services/webhooks/addresses.ts';
import { send } from '../../../src/services/webhooks/send.ts';

describe('an address is public', () => {
  it.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2606:4700::1111', '2a00:1450:4001::1'])(
    '%s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.8.8.8',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'not an address',
  ])('not: %s', (address) => expect(isPublicAddress(address)).toBe(false));
});

describe('a look-up', () => {
  const look = (found: string[], options = {}) =>
    new Promise((resolve, reject) => {
      const addresses = found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      publicLookup(async () => addresses)('hooks.example', options, (error, ...given) =>
        error ? reject(error) : resolve(given),
      );
    });

  it('gives what it has checked', async () => {
    expect(await look(['8.8.8.8', '2606:4700::1'])).toEqual(['8.8.8.8', 4]);
    expect(await look(['8.8.8.8', '2606:4700::1'], { family: 6 })).toEqual(['2606:4700::1', 6]);
    expect(await look(['8.8.8.8'], { all: true })).toEqual([[{ address: '8.8.8.8', family: 4 }]]);
  });

  it('refuses a name with any private address, or with none', async () => {
    await expect(look(['8.8.8.8', '10.0.0.1'])).rejects.toBeInstanceOf(AddressNotAllowed);
    await expect(look([])).rejects.toBeInstanceOf(AddressNotAllowed);
  });

  it('asks once for a connection, so that a name cannot be another address a moment later', async () => {
    let asked = 0;
    const rebinding = publicLookup(async () => [
      { address: asked++ === 0 ? '127.0.0.1' : '8.8.8.8', family: 4 },
    ]);
    const error = await new Promise((resolve) => rebinding('rebind.example', {}, resolve));
    expect([asked, error]).toEqual([1, expect.any(AddressNotAllowed)]);
  });
});

describe('nothing is sent', () => {
  it.each(['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f.1', '2130706433'])(
    'to %s, where a server listens',
    async (host) => {
      let reached = 0;
      const server = createServer((_, response) => {
        reached += 1;
        response.end();
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const message = { headers: {}, body: '{}' };
      const refused = await send(`http://${host}:${port}/`, message, {
        timeoutMs: 5_000,
        allowPrivate: false,
      });
      expect(refused).toMatchObject({ statusCode: null, error: expect.stringContaining('private network') });
      expect(reached).toBe(0);
      const allowed = { timeoutMs: 5_000, allowPrivate: true };
      await send(`http://127.0.0.1:${port}/`, message, allowed);
      expect(reached).toBe(1);
      server.close();
    },
  );
});
