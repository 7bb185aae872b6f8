import { createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { withDefault } from './schemas.ts';

/** In place of a key, as the first: originals are stored as they come. */
const NONE = 'none';
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
const KEY_BYTES = 32;

/** Keys by their ids, and the one that is written with; null: what is written is not encrypted. */
export interface EncryptionKeys {
  active: string | null;
  keys: ReadonlyMap<string, KeyObject>;
}

/** `id:base64 of 32 bytes`, with commas between them. */
const encryptionKeys = z.string().transform((text, context): EncryptionKeys => {
  const keys = new Map<string, KeyObject>();
  const entries = text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]));
  const isPlain = entries[0] === undefined || entries[0] === NONE;
  for (const entry of entries.slice(entries[0] === NONE ? 1 : 0)) {
    const [id = '', base64 = ''] = entry.split(':', 2);
    const bytes = Buffer.from(base64, 'base64');
    // what is wrong with a key must not be told by showing it
    if (!KEY_ID.test(id) || id === NONE || bytes.length !== KEY_BYTES || keys.has(id)) {
      const message =
        'must be id:key pairs with commas between them, no id twice, each key 32 bytes in base64';
      context.addIssue({ code: 'custom', message, input: '' });
      return z.NEVER;
    }
    keys.set(id, createSecretKey(bytes));
  }
  const [first = null] = keys.keys();
  return { active: isPlain ? null : first, keys };
});

/** The settings of what is encrypted at rest. */
export const encryptionSettings = {
  ENCRYPTION_KEYS: withDefault(encryptionKeys, ''),
};
