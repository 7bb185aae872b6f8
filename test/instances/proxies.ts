import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import { freePort, startProgram } from '../faults/program.ts';

export interface RunningProxy {
  url: string;
  stop(): Promise<void>;
}

/** A configuration of deploy/ with the addresses of these instances, and its own. */
async function configurationOf(path: string, port: number, instances: readonly number[]): Promise<string> {
  const text = await readFile(join(packageRoot, 'deploy', path), 'utf8');
  return text
    .replaceAll(/forge-(\d):3000/g, (_all, number) => `127.0.0.1:${instances[Number(number) - 1]}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('bind :80', `bind 127.0.0.1:${port}`);
}

async function startNginx(program: string, instances: readonly number[]): Promise<RunningProxy> {
  const port = await freePort();
  const site = await configurationOf('nginx/forge.conf', port, instances);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return startProgram({
    program,
    configuration: (folder) => `
daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
events {}
http {
  access_log off; gzip on; gzip_types *;
  ${places.map((place) => `${place}_temp_path ${folder}/${place};`).join(' ')}
  ${site}
}
`,
    args: (folder, file) => ['-p', folder, '-c', file],
    port,
  });
}

async function startHaproxy(program: string, instances: readonly number[]): Promise<RunningProxy> {
  const port = await freePort();
  const text = await configurationOf('haproxy/forge.cfg', port, instances);
  return startProgram({
    program,
    configuration: () => text,
    args: (_folder, file) => ['-db', '-f', file],
    port,
  });
}

const STARTS = { nginx: startNginx, haproxy: startHaproxy };

/** The proxies whose configuration is in deploy/. */
export type ProxyName = keyof typeof STARTS;

/** A proxy of one's own on the loopback interface, before instances on these ports. */
export const startProxy = (
  name: ProxyName,
  program: string,
  instances: readonly number[],
): Promise<RunningProxy> => STARTS[name](program, instances);
