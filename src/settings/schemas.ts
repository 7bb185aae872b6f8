import { isIP } from 'node:net';
import { z } from 'zod';

/** An empty variable counts as unset: `.env` files and compose files cannot leave one out otherwise. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

export const withDefault = <T extends z.ZodType>(schema: T, fallback: z.input<T>) =>
  z.preprocess((value) => (value === '' || value === undefined ? fallback : value), schema);

/** A whole number, written in digits. */
export function integer(minimum: number, maximum: number) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.int({ error, abort: true }).min(minimum, { error, abort: true }).max(maximum, { error }),
  );
}

/** A number, written in digits, with a decimal point or without. */
export function number(minimum: number, maximum = Number.POSITIVE_INFINITY) {
  const error = Number.isFinite(maximum)
    ? `must be a number from ${minimum} to ${maximum}`
    : `must be a number of at least ${minimum}`;
  return z.preprocess(
    (value) => (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    z.number({ error }).min(minimum, { error }).max(maximum, { error }),
  );
}

/** Where a Postgres server is. */
export const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// URL, as postgres://user:password@localhost:5432/forge',
});

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');

const HOST_NAME = /^([a-z0-9._-]+|\[[0-9a-f:.]+\]|\*)$/;

/** Names of hosts without their ports, with commas between them; an address of IPv6 in brackets; `*`: any. */
export const hostNames = z
  .string()
  .transform(listed)
  .refine(
    (names) => names.every((name) => HOST_NAME.test(name)),
    'must be names of hosts without ports, as forge.example',
  );

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  );
}

/** Addresses and networks in the notation of CIDR, with commas between them. */
export const networks = z
  .string()
  .transform(listed)
  .refine((names) => names.every(isNetwork), 'must be addresses or networks, as 10.0.0.0/8');

/** `https://app.example:8443` as browsers write it: no path, and no port that the scheme has by itself. */
function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(text)) return false;
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text);
}

/** Origins of web pages, with commas between them; `*`: any. */
export const origins = z
  .string()
  .transform(listed)
  .refine(
    (names) => names.every((name) => name === '*' || isOrigin(name)),
    'must be origins of web pages, as https://app.example',
  );
