/** Names of this machine, as the host of a URL has them. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/**
 * Why a request is not to be answered; null: it may be. A page of another site can make a browser send requests to this
 * machine under a name that it controls (DNS rebinding); the name tells them.
 *
 * @param also names besides those of this machine, without ports
 */
export function hostProblem(headers: Headers, also: readonly string[]): string | null {
  const allowed = [...LOOPBACK, ...also.map((name) => name.toLowerCase())];
  const isAllowed = (hostname: string | null): boolean => hostname !== null && allowed.includes(hostname);
  const host = headers.get('host');
  if (!isAllowed(hostnameOf(`http://${host ?? ''}`)))
    return `The host "${host ?? ''}" is not among those allowed.`;
  const origin = headers.get('origin');
  if (origin !== null && !isAllowed(hostnameOf(origin)))
    return `The origin "${origin}" is not among those allowed.`;
  return null;
}
