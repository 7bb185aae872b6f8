import { createHmac, randomBytes } from 'node:crypto';
import type { StoredSecret } from '../../db/webhooks.ts';
import type { KeyRing } from '../originals/originals.ts';
import { open, SALT_BYTES, seal } from '../originals/sealing.ts';

/** The prefix that Standard Webhooks gives secrets; base64 of the bytes follows. */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Whose secret it is: one that is moved to another webhook does not open. */
export interface SecretPlace {
  workspaceId: string;
  webhookId: string;
}

export const shownSecret = (secret: Buffer): string => `${PREFIX}${secret.toString('base64')}`;

export const newWebhookSecret = (): Buffer => randomBytes(SECRET_BYTES);

const placeOf = ({ workspaceId, webhookId }: SecretPlace) => ({
  workspaceId,
  projectId: 'webhooks',
  fileId: webhookId,
  version: 0,
});

/** How secrets are stored: encrypted with the key that originals are, where there is one. */
export function createSecretStore({ active, keys }: KeyRing) {
  return {
    active,
    known: [...keys.keys()],

    /** Whether the key that it is encrypted with is there, if any. */
    isReadable: ({ keyId }: StoredSecret): boolean => keyId === null || keys.has(keyId),

    sealed(place: SecretPlace, secret: Buffer): StoredSecret {
      const key = active === null ? undefined : keys.get(active);
      if (!key) return { bytes: secret, keyId: null };
      return { bytes: seal(key, placeOf(place), secret), keyId: active };
    },

    /** @throws Error when the key that it is encrypted with is not there */
    opened(place: SecretPlace, { bytes, keyId }: StoredSecret): Buffer {
      if (keyId === null) return bytes;
      const key = keys.get(keyId);
      if (!key)
        throw new Error(
          `the secret is encrypted with the key "${keyId}", which ENCRYPTION_KEYS does not have`,
        );
      const sealed = {
        salt: bytes.subarray(0, SALT_BYTES),
        bytes: bytes.subarray(SALT_BYTES),
        byteLength: SECRET_BYTES,
      };
      return open(key, placeOf(place), sealed, { offset: 0, length: SECRET_BYTES });
    },
  };
}

export type SecretStore = ReturnType<typeof createSecretStore>;

/** The headers of a message by Standard Webhooks: a signature with each secret, so that a receiver may have either. */
export function signedHeaders(
  secrets: readonly Buffer[],
  message: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(message.at.getTime() / 1_000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
