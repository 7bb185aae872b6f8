import { createHash, randomBytes } from 'node:crypto';

const ID_BYTES = 8;
const SECRET_BYTES = 32;

/** A new key, `forge_ID_SECRET`, and the id in it, by which people tell keys apart. */
export function newSecret(): { keyId: string; secret: string } {
  const keyId = randomBytes(ID_BYTES).toString('hex');
  return { keyId, secret: `forge_${keyId}_${randomBytes(SECRET_BYTES).toString('base64url')}` };
}

/** What is stored of a key: it is too long to be guessed, so no slow hash is needed. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
