import { createSecretKey, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { deliveryDelay } from '../../../src/services/webhooks/deliver.ts';
import {
  createSecretStore,
  newWebhookSecret,
  shownSecret,
  signedHeaders,
} from '../../../src/services/webhooks/secrets.ts';

const message = { id: 'msg_1', at: new Date(), body: '{"type":"file.created"}' };

describe('a signature', () => {
  it('is one by Standard Webhooks', () => {
    const secret = newWebhookSecret();
    const headers = signedHeaders([secret], message);
    expect(new Webhook(shownSecret(secret)).verify(message.body, headers)).toEqual({ type: 'file.created' });
    expect(() => new Webhook(shownSecret(secret)).verify(`${message.body} `, headers)).toThrow();
    expect(() => new Webhook(shownSecret(newWebhookSecret())).verify(message.body, headers)).toThrow();
  });

  it('is made with both secrets while one takes the place of the other', () => {
    const [old, fresh] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signedHeaders([fresh, old], message);
    for (const secret of [old, fresh]) new Webhook(shownSecret(secret)).verify(message.body, headers);
  });
});

describe('a secret at rest', () => {
  const place = { workspaceId: 'default', webhookId: 'wh_1' };
  const keys = new Map([['k1', createSecretKey(randomBytes(32))]]);
  const secret = newWebhookSecret();

  it('is encrypted where there is a key, for its webhook alone', () => {
    const store = createSecretStore({ active: 'k1', keys });
    const stored = store.sealed(place, secret);
    expect(stored.keyId).toBe('k1');
    expect(stored.bytes.includes(secret)).toBe(false);
    expect(store.opened(place, stored)).toEqual(secret);
    expect(() => store.opened({ ...place, webhookId: 'wh_2' }, stored)).toThrow();
    expect(() => createSecretStore({ active: null, keys: new Map() }).opened(place, stored)).toThrow('k1');
  });

  it('is as it is where there is none, and read when there is one later', () => {
    const stored = createSecretStore({ active: null, keys: new Map() }).sealed(place, secret);
    expect(createSecretStore({ active: 'k1', keys }).opened(place, stored)).toEqual(secret);
  });
});

it('waits four times as long from one attempt to the next, a fifth more or less, and six hours at most', () => {
  expect([1, 2, 3].map((attempt) => deliveryDelay(attempt, 5, 0.5))).toEqual([5, 20, 80]);
  expect(deliveryDelay(2, 5, 0)).toBeCloseTo(16);
  expect(deliveryDelay(2, 5, 1)).toBeCloseTo(24);
  expect(deliveryDelay(20, 5, 0.5)).toBe(6 * 3_600);
});
