import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const START_MS = 60_000;
const running = new Set<ChildProcess>();
// whatever happens to this process, none of these outlives it
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Where a program is, if it is installed. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const places = folders.filter((folder) => folder !== '').map((folder) => join(folder, name));
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

/** A port of the loopback interface that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** As whom a program runs that refuses to be root: nobody, where this process is root. */
export function otherThanRoot(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string): number =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const opened = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return opened;
}

interface ProgramOptions {
  program: string;
  /** Text of its configuration, for the folder that it may write in. */
  configuration: (folder: string) => string;
  args: (folder: string, file: string) => string[];
  /** It is up when somebody listens there. */
  port: number;
  /** As whom it runs, where it refuses to be root. */
  user?: { uid: number; gid: number };
  /** Does what has to be done in its folder before it starts. */
  prepare?: (folder: string) => Promise<void>;
}

/** A program of one's own on the loopback interface, with a folder of its own, both gone after `stop`. */
export async function startProgram({ program, configuration, args, port, user, prepare }: ProgramOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'forge-program-'));
  if (user) {
    await chmod(folder, 0o755);
    await chown(folder, user.uid, user.gid);
  }
  const file = join(folder, 'configuration');
  await writeFile(file, configuration(folder));
  await prepare?.(folder);
  const child = spawn(program, args(folder, file), { stdio: ['ignore', 'ignore', 'pipe'], ...user });
  running.add(child);
  const gone = once(child, 'exit').then(() => running.delete(child));
  const errors: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors.push(text);
    if (errors.length > 100) errors.shift();
  });

  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    const hurry = setTimeout(() => child.kill('SIGKILL'), START_MS);
    await gone;
    clearTimeout(hurry);
    await rm(folder, { recursive: true, force: true });
  }

  const deadline = Date.now() + START_MS;
  while (!(await isOpen(port))) {
    if (child.exitCode === null && Date.now() < deadline) {
      await delay(50);
      continue;
    }
    const log = await readFile(join(folder, 'error.log'), 'utf8').catch(() => '');
    await stop();
    throw new Error(`${program} did not start: ${errors.join('')}${log}`);
  }
  return { url: `http://127.0.0.1:${port}`, stop, pid: child.pid ?? 0 };
}
