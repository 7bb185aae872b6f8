import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const START_MS = 10_000;
const running = new Set<ChildProcess>();
// whatever happens to this process, no nginx of its outlives it
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The program, where it is installed. */
export function findNginx(): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const places = folders.filter((folder) => folder !== '').map((folder) => join(folder, 'nginx'));
  const found = places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  return found ?? null;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** As it comes, which is to say buffering, and with compression of everything; once with the service's say, once without. */
const configuration = (
  folder: string,
  upstream: string,
  ports: { heeding: number; deaf: number },
): string => `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off; gzip on; gzip_types *; gzip_min_length 1;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/f;
  uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  proxy_buffering on; proxy_buffers 8 64k;
  server { listen 127.0.0.1:${ports.heeding}; location / { proxy_pass ${upstream}; } }
  server {
    listen 127.0.0.1:${ports.deaf};
    location / { proxy_pass ${upstream}; proxy_ignore_headers X-Accel-Buffering; }
  }
}
`;

/** An nginx of one's own on the loopback interface, in a folder of its own, in front of a service. */
export async function startNginx(program: string, upstream: string) {
  const folder = await mkdtemp(join(tmpdir(), 'forge-nginx-'));
  const ports = { heeding: await freePort(), deaf: await freePort() };
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, upstream, ports));
  const child = spawn(program, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  const gone = once(child, 'exit').then(() => running.delete(child));
  const errors: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));

  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await gone;
    await rm(folder, { recursive: true, force: true });
  }

  const urls = {
    heeding: `http://127.0.0.1:${ports.heeding}`,
    deaf: `http://127.0.0.1:${ports.deaf}`,
  };
  const deadline = Date.now() + START_MS;
  const answers = () =>
    fetch(`${urls.heeding}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode === null && Date.now() < deadline) {
      await delay(50);
      continue;
    }
    const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '');
    await stop();
    throw new Error(`nginx did not start: ${errors.join('')}${log}`);
  }
  return { ...urls, stop };
}
