import { setTimeout as delay } from 'node:timers/promises';
import { openStream, type ReceivedEvent } from '../helpers/sse.ts';
import type { Service } from './service.ts';

/** A request with a JSON body, and the answer with its parsed body. */
export async function call(service: Service, method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(service.url + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: looked into as it comes
  return { status: response.status, body: (await response.json()) as any };
}

/** What a client has seen of a stream by the time the server is gone. */
export async function watchUntilKilled(
  service: Service,
  path: string,
  init: RequestInit,
  killAfterMs: number,
): Promise<ReceivedEvent[]> {
  const seen: ReceivedEvent[] = [];
  const watching = openStream(service.url + path, init)
    .then(async (stream) => {
      try {
        await stream.all();
      } finally {
        seen.push(...stream.events);
      }
    })
    .catch(() => undefined); // cut off, as it should be
  await delay(killAfterMs);
  await service.kill();
  await watching;
  return seen;
}
