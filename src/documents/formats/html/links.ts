/** Addresses that lead somewhere from a text; `javascript:`, `data:` and the like do not. */
const SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp', 'sftp']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what a browser takes off
const LEAD = /^[\u0000-\u0020]+/;
/** A longer address is more than its text is worth. In UTF-16 units. */
const LONGEST = 2_000;

/** What a link leads to. */
export type Target =
  | { kind: 'address'; address: string }
  /** Within the page, or by a scheme that is none of a text's. */
  | { kind: 'none' }
  | { kind: 'too_long' };

/** Reads an `href` as a browser does, which ignores line ends, tabs and what surrounds it. */
export function targetOf(href: string): Target {
  const address = href
    .replace(/[\t\n\r]/g, '')
    .replace(LEAD, '')
    .trimEnd();
  if (address === '' || address.startsWith('#')) return { kind: 'none' };
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1];
  if (scheme !== undefined && !SCHEMES.has(scheme.toLowerCase())) return { kind: 'none' };
  return address.length > LONGEST ? { kind: 'too_long' } : { kind: 'address', address };
}
