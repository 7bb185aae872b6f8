const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Makes a text storable: Postgres takes neither NUL nor half a surrogate pair. Applied at the boundary to storage only,
 * to text as a whole, before any offset into it is taken.
 */
export function storableText(text: string): string {
  return text.replaceAll('\u0000', '').replace(LONE_SURROGATES, '\uFFFD');
}

/** A text that stored ones are searched for: as names are stored, Unicode in normal form C. */
export const soughtText = (text: string): string => storableText(text).normalize('NFC');

/** `storableText` for every string in a JSON value, keys included. */
export function storableJson<T>(value: T): T {
  if (typeof value === 'string') return storableText(value) as T;
  if (Array.isArray(value)) return value.map(storableJson) as T;
  if (value !== null && typeof value === 'object' && !(value instanceof Date)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [storableText(key), storableJson(member)]),
    ) as T;
  }
  return value;
}

/** The JSON text of a value as a parameter for a `jsonb` column. */
export function jsonParam(value: unknown): string {
  return JSON.stringify(storableJson(value));
}
