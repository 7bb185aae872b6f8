import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { AppError } from '../../errors.ts';

/** Who may call: under which names of the service, and from which web pages. */
export interface CallerRules {
  /** Names of the service besides those of this machine, without ports; `*`: any. */
  hosts: readonly string[];
  /** Origins of web pages that may call, `*`: any; null: those of this machine, whatever their ports. */
  origins: readonly string[] | null;
}

/** Names of this machine, as the host of a URL has them. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ANY = '*';
const HOST = /^(\[[0-9a-f:.]+\]|[^\s/\\?#@:[\]]+)(:\d{1,5})?$/i;
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)/i;

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/** The host that a request names, as it came: that of an absolute target goes before the header (RFC 9112, 3.2.2). */
function hostAsked({ url = '', headers, rawHeaders }: Asked, anyHost: boolean): string {
  // names stand at the even places, values after them
  const named = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  const host = ABSOLUTE_TARGET.exec(url)?.[1] ?? headers.host ?? '';
  if (named.length <= 1 && (HOST.test(host) || (host === '' && anyHost))) return host;
  throw new AppError('invalid_request', {
    detail: 'A request names one host, with a port or without, in one Host header.',
    errors: [{ pointer: 'host', detail: 'must name one host', code: 'invalid_format' }],
  });
}

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const nameOf = (host: string): string | undefined => urlOf(`http://${host}`)?.hostname.replace(/\.$/, '');

/**
 * Whether the service may be addressed by this host. A page of another site can make a browser send requests to this
 * machine under a name that the site controls (DNS rebinding); an address needs no DNS, so that it cannot be rebound.
 */
function isHostAllowed(host: string, hosts: readonly string[]): boolean {
  if (hosts.includes(ANY)) return true;
  const name = nameOf(host);
  if (name === undefined) return false;
  if (LOOPBACK.includes(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  return hosts.some((allowed) => allowed.toLowerCase() === name);
}

/** Whether web pages of this origin may call besides the service's own. */
function isOriginAllowed(origin: string, origins: readonly string[] | null): boolean {
  if (origins !== null) return origins.includes(ANY) || origins.includes(origin.toLowerCase());
  const url = urlOf(origin);
  return url !== null && /^https?:$/.test(url.protocol) && LOOPBACK.includes(url.hostname);
}

/** Whether the page comes from the service itself, under the name that it asks for. */
function isSameOrigin(origin: string, host: string): boolean {
  const page = urlOf(origin);
  if (page === null || !/^https?:$/.test(page.protocol) || host === '') return false;
  // the port that a scheme has by itself is written in one of the two, or in neither
  return urlOf(`${page.protocol}//${host}`)?.host === page.host;
}

/** What a request is told of who it comes from. */
export interface Caller {
  /** Of the page that it comes from; null: there is none, or it is the service's own. */
  foreignOrigin: string | null;
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

const originRefused = (detail: string): AppError =>
  new AppError('origin_not_allowed', { detail: `${detail} CORS_ORIGINS names those that may call.` });

/**
 * Looks who calls, by the head of a request alone.
 *
 * @param anyHost for what has nothing to hide and is asked by whatever name: probes
 * @throws AppError `host_not_allowed`, `origin_not_allowed`, or `invalid_request` for a host that is none
 */
export function checkCaller(request: Asked, rules: CallerRules, anyHost: boolean): Caller {
  const host = hostAsked(request, anyHost);
  if (!anyHost && !isHostAllowed(host, rules.hosts)) {
    throw new AppError('host_not_allowed', {
      detail: `The service does not go by the name "${host}". ALLOWED_HOSTS names those that it is to answer to.`,
    });
  }
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin !== undefined) {
    if (isSameOrigin(origin, host)) return { foreignOrigin: null };
    if (isOriginAllowed(origin, rules.origins)) return { foreignOrigin: origin };
    throw originRefused(`Web pages of the origin "${origin}" may not call this service.`);
  }
  // a browser that says where a request comes from, and no more
  const isSafe = SAFE_METHODS.includes(request.method ?? '');
  if (site === 'cross-site' && !isSafe && rules.origins?.includes(ANY) !== true) {
    throw originRefused('Web pages of other sites may not change anything here.');
  }
  return { foreignOrigin: null };
}
