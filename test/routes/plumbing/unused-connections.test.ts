import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { watchUnusedConnections } from '../../../src/routes/plumbing/unused-connections.ts';

describe('a server that stops', () => {
  it('waits for requests, and not for connections on which nothing was asked', async () => {
    const app = Fastify();
    const endUnused = watchUnusedConnections(app.server);
    app.addHook('preClose', async () => endUnused());
    let finish: (answer: string) => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      app.get('/', () => {
        resolve();
        return new Promise<string>((done) => {
          finish = done;
        });
      });
    });
    const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
    const silent = connect({ host: '127.0.0.1', port: Number(address.port) });
    await once(silent, 'connect');
    silent.resume();
    // a connection of its own, which ends with the answer
    const request = get(address, { agent: false });
    await started;
    const ended = once(silent, 'close');
    const closed = app.close();
    await ended;
    const answered = once(request, 'response');
    finish('done');
    const [answer] = await answered;
    expect(await text(answer)).toBe('done');
    await closed;
  });
});
