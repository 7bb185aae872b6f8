import { setTimeout as delay } from 'node:timers/promises';
import { openStream } from '../helpers/sse.ts';

const PATIENCE_MS = 90_000;
const TERMINAL = /^turn\.(completed|failed|cancelled)$/;

/** What a client met that it did not count on; a failure that says when to come back is none of it. */
export class Unforeseen extends Error {}

interface Met {
  /** Failures with `Retry-After`. */
  postponed: number;
  /** Streams that ended before their turn, and were taken up again. */
  resumed: number;
}

/** A client that sends a request again when it is told to, under the same key, and takes up a stream where it was. */
export function createPatientClient(url: string) {
  const met: Met = { postponed: 0, resumed: 0 };

  async function insist<T extends { response: Response }>(
    what: string,
    request: () => Promise<T>,
  ): Promise<T> {
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const answer = await request().catch((error: unknown) => {
        throw new Unforeseen(`${what}: no answer (${error instanceof Error ? error.cause : error})`);
      });
      const { status, headers } = answer.response;
      if (status < 300) return answer;
      const seconds = headers.get('retry-after');
      if (status < 500 || seconds === null || Date.now() > end) {
        throw new Unforeseen(`${what}: ${status} ${await answer.response.text().catch(() => '')}`);
      }
      met.postponed += 1;
      await answer.response.body?.cancel().catch(() => undefined);
      await delay(Number(seconds) * 1_000);
    }
  }

  const send = (method: string, path: string, init: RequestInit = {}): Promise<Response> =>
    insist(`${method} ${path}`, async () => ({
      response: await fetch(url + path, { ...init, method }),
    })).then(({ response }) => response);

  return {
    met,
    send,
    sendJson: (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      send(method, path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),

    /** Sends a message and follows its turn to the end; gives the last event's name. */
    async converse(project: string, number: number, message: string): Promise<string> {
      const path = `/projects/${project}/turns`;
      const begin = () =>
        openStream(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': `${project}-${number}` },
          body: JSON.stringify({ message }),
        });
      const seen: number[] = [];
      for (let stream = await insist(`POST ${path}`, begin); ; met.resumed += 1) {
        await stream.all().catch(() => undefined);
        for (const { id } of stream.events) {
          if (id <= (seen.at(-1) ?? 0)) throw new Unforeseen(`event ${id} came after ${seen.at(-1)}`);
          seen.push(id);
        }
        const last = stream.events.at(-1)?.event ?? '';
        if (TERMINAL.test(last)) return last;
        const follow = () =>
          openStream(`${url}${path}/${number}/events`, {
            headers: { 'last-event-id': String(seen.at(-1) ?? 0) },
          });
        stream = await insist(`GET ${path}/${number}/events`, follow);
      }
    },
  };
}
