import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { networksOf } from '../../networks.ts';

/*
 * Which addresses webhooks may be sent to. Whoever may make one could otherwise have the service ask what only it can reach: the
 * machine itself, its network, the metadata of its cloud (CWE-918).
 */

/** RFC 6890 and the registries that it began: what is not public, of IPv4. */
const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Only these are given to the public; all else is local, reserved, or another way to write an IPv4 address. */
const PUBLIC_V6 = '2000::/3';
/** And of these not: Teredo and other protocols, documentation, 6to4, and documentation again. */
const PRIVATE_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const privateV4 = networksOf(PRIVATE_V4);
const publicV6 = networksOf([PUBLIC_V6]);
const privateV6 = networksOf(PRIVATE_V6);

/** Whether an IP address is one that anybody can reach. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateV4.check(address, 'ipv4');
  const [bare = ''] = address.split('%');
  return isIP(bare) === 6 && publicV6.check(bare, 'ipv6') && !privateV6.check(bare, 'ipv6');
}

export class AddressNotAllowed extends Error {
  constructor(host: string) {
    super(`"${host}" is an address of this machine or of a private network`);
    this.name = 'AddressNotAllowed';
  }
}

/** The host of a URL as an IP address, where it is one: such a host is looked up by nobody. */
export function addressInUrl({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}

type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;
const resolveAll: Resolve = (host) => lookUp(host, { all: true, verbatim: true });

/**
 * A look-up for a connection which gives public addresses only, and those that it gives are those that are connected to: a name
 * that is another address the next time it is asked for helps nobody. One private address among them refuses all.
 */
export const publicLookup =
  (resolve: Resolve = resolveAll): LookupFunction =>
  (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const [first] = found;
        if (!first || !found.every(({ address }) => isPublicAddress(address)))
          return callback(new AddressNotAllowed(host), '', 0);
        // those of one family, where the connection asks for it
        const { family = 0 } = options;
        const wanted = family === 4 || family === 6 ? found.filter((one) => one.family === family) : found;
        if (options.all) callback(null, wanted);
        else callback(null, (wanted[0] ?? first).address, (wanted[0] ?? first).family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
