import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openStream } from '../helpers/sse.ts';
import { startProviders } from './providers.ts';
import { startService } from './service.ts';
import { type Row, say } from './table.ts';

const NGINX = '/usr/sbin/nginx';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const configuration = (folder: string, port: number, upstream: string): string => `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; gzip on; gzip_types *; gzip_min_length 1;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${upstream}; proxy_buffering on; proxy_buffers 8 64k; }
  }
}
`;

/** A stream through nginx as it comes, which buffers: the first words must be there before the last are said. */
export async function streamThroughProxy(): Promise<Row[]> {
  if (!existsSync(NGINX)) {
    say(`  (skipped: there is no ${NGINX} on this machine)`);
    return [];
  }
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let calls = 0;
  const providers = await startProviders(async () => {
    if (calls++ === 0) {
      const input = { field: 'decision_maker', value: 'Dana' };
      return { text: ['First words. '], toolCalls: [{ name: 'update_skeleton', input }] };
    }
    await opened;
    return { text: 'Last words.' };
  });
  const folder = await mkdtemp(join(tmpdir(), 'forge-proxy-'));
  const service = await startService({ DATA_DIR: join(folder, 'data'), ...providers.settings });
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port, service.url));
  const nginx = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  try {
    const url = `http://127.0.0.1:${port}`;
    const headers = { 'content-type': 'application/json' };
    for (let tries = 0; tries < 50; tries++) {
      if (
        await fetch(`${url}/healthz`).then(
          (answer) => answer.ok,
          () => false,
        )
      )
        break;
      await delay(100);
    }
    await fetch(`${url}/projects`, { method: 'POST', headers, body: '{"id":"p","name":"P"}' });
    const stream = await openStream(`${url}/projects/p/turns`, {
      method: 'POST',
      headers,
      body: '{"message":"Dana decides."}',
    });
    const outcome = await Promise.race([
      stream.until('answer.delta').then(() => ''),
      delay(10_000).then(() => 'the first words were held back until the end'),
    ]);
    open();
    const last = (await stream.all()).at(-1)?.event ?? 'nothing';
    const encoding = stream.response.headers.get('content-encoding') ?? 'none';
    const failed = outcome || (last === 'turn.completed' ? '' : `the last event was ${last}`);
    return [{ proxy: 'nginx', encoding, last, failed }];
  } finally {
    open();
    nginx.kill();
    await service.stop();
    await providers.close();
    await rm(folder, { recursive: true, force: true });
  }
}
