import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const START_MS = 60_000;
const STOP_MS = 20_000;
const entry = fileURLToPath(new URL('../dist/src/main.js', import.meta.url));

/** A service of the demo's own. */
export interface Service {
  url: string;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

/**
 * Starts the built service on a free port and a fresh temporary directory. Its environment holds no key and no database,
 * so that it runs on the embedded database, the local encoder and the offline model whatever the shell has set.
 */
export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-demo-'));
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [entry], { cwd: dataDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const lastLines: string[] = [];
  const gone = once(child, 'exit');

  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(timer);
    }
    await rm(dataDir, { recursive: true, force: true });
  }

  const listening = new Promise<string>((resolve, reject) => {
    const read = (line: string) => {
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
      const url = /"url":"(http:[^"]+)".*is listening/.exec(line)?.[1];
      if (url) resolve(url);
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    const failed = (why: string) => reject(new Error(`the service ${why}:\n${lastLines.join('\n')}`));
    child.once('exit', (code, signal) => failed(`ended with ${code ?? signal}`));
    setTimeout(() => failed(`did not listen within ${START_MS / 1000} s`), START_MS).unref();
  });
  try {
    return { url: await listening, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
