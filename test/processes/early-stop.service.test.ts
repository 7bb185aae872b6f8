import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

it('is ended by a signal while it waits for its database', async () => {
  // takes a connection and says nothing
  const database = createServer();
  await once(database.listen(0, '127.0.0.1'), 'listening');
  const address = database.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const child = spawn(process.execPath, ['--import', 'tsx', join(packageRoot, 'src', 'main.ts')], {
    env: { ...process.env, DATABASE_URL: `postgres://forge@127.0.0.1:${port}/forge`, PORT: '0' },
    stdio: 'ignore',
  });
  const [socket] = await once(database, 'connection');
  child.kill('SIGTERM');
  // a code and no signal: as process 1 of a container, it would not hear one that it does not handle
  expect(await once(child, 'exit')).toEqual([143, null]);
  socket.destroy();
  database.close();
});
