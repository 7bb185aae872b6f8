import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';

/** Tells a client that has asked for it how far a long call has come; one that has gone misses nothing. */
export function progressOf({
  _meta,
  sendNotification,
}: RequestHandlerExtra<ServerRequest, ServerNotification>): (at: { done: number; total: number }) => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  return ({ done: progress, total }) => {
    const params = { progressToken, progress, total, message: `${progress} of ${total} parts read` };
    sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
