import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { toAppError } from '../../../src/routes/plumbing/problems.ts';
import { portOf } from '../../helpers/raw-http.ts';

it('takes a body that its client broke off for no failure of the service', async () => {
  const server = createServer();
  const failed = new Promise<unknown>((resolve) => {
    server.on('request', (request) => {
      request.on('error', resolve).resume();
      client.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = connect(portOf({ server }), '127.0.0.1', () => {
    client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{"id":');
  });
  expect(toAppError(await failed)).toMatchObject({ code: 'invalid_request' });
  server.close();
});
