import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { ProjectEvent } from '../../src/contract/project-event.ts';

/** A message as it came. */
export interface ReceivedMessage {
  headers: Record<string, string>;
  body: string;
  event: ProjectEvent;
}

/** A server that takes messages of webhooks and answers them as it is told. */
export async function startReceiver() {
  const messages: ReceivedMessage[] = [];
  let answer = (response: ServerResponse, _: ReceivedMessage): void => void response.end();
  let arrived = (): void => undefined;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = {
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body) as ProjectEvent,
    };
    messages.push(message);
    answer(response, message);
    arrived();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/hook`,
    messages,
    types: () => messages.map(({ event }) => event.type),
    /** How messages are answered from now on. */
    answerWith(how: typeof answer): void {
      answer = how;
    },
    /** Waits until what has come is enough. */
    async until(isEnough: () => boolean): Promise<void> {
      while (!isEnough())
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
    },
    /** Throws unless a secret has signed a message, by code that is not ours. */
    verify: (secret: string, { body, headers }: ReceivedMessage) => new Webhook(secret).verify(body, headers),
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
