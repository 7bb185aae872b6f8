import { z } from 'zod';

/** An empty variable counts as unset: `.env` files and compose files cannot leave one out otherwise. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

export const withDefault = <T extends z.ZodType>(schema: T, fallback: z.input<T>) =>
  z.preprocess((value) => (value === '' || value === undefined ? fallback : value), schema);

/** A whole number, written in digits. */
export const integer = (minimum: number, maximum: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.number({ error: 'must be a whole number' }).int().min(minimum).max(maximum),
  );

const HOST_NAME = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** Names of hosts without their ports, with commas between them; an address of IPv6 in brackets. */
export const hostNames = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  )
  .refine((names) => names.every((name) => HOST_NAME.test(name)), 'must be names of hosts, without ports');
