import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { oneAtATime } from '../../one-at-a-time.ts';

/** How often the keys of open requests are looked at: as long as a key is believed without looking. */
const LOOK_MS = 1_000;

/**
 * Breaks off what is still open of a caller whose key is no longer valid: a stream would go on to tell of a workspace that the
 * caller was shut out of.
 *
 * @param isValid asked of each key once a second, as long as a request of it is open
 * @returns to be told of each request that came with a key
 */
export function endWithTheirKeys(
  app: FastifyInstance,
  isValid: (key: string) => Promise<boolean>,
): (key: string, response: ServerResponse) => void {
  const open = new Map<string, Set<ServerResponse>>();

  const look = oneAtATime(async () => {
    for (const [key, responses] of open) {
      // a database that does not answer says nothing of the key
      if (await isValid(key).catch(() => true)) continue;
      for (const response of responses) response.destroy();
    }
  });
  const timer = setInterval(look, LOOK_MS).unref();
  app.addHook('onClose', async () => clearInterval(timer));

  return (key, response) => {
    const responses = open.get(key) ?? new Set();
    open.set(key, responses.add(response));
    response.once('close', () => {
      responses.delete(response);
      if (responses.size === 0 && open.get(key) === responses) open.delete(key);
    });
  };
}
