import type { PathOf } from './types.ts';

/** The POSTs that do something each time they come: they take no idempotency key. A test holds them against the contract. */
export const DONE_EACH_TIME: readonly PathOf<'post'>[] = [
  '/keys',
  '/webhooks',
  '/webhooks/{webhook_id}/rotate',
  '/webhooks/{webhook_id}/deliveries/{delivery_id}/retry',
  '/webhooks/{webhook_id}/test',
  '/projects/{project_id}/tools/{name}',
  '/mcp',
];

/** Whether a request whose answer was lost may be sent again: its key, or what it is, keeps it from being done twice. */
export const isRepeatable = (method: string, template: string): boolean =>
  method !== 'patch' && !(method === 'post' && (DONE_EACH_TIME as readonly string[]).includes(template));
