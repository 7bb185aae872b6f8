import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/package-root.ts';

/** A running instance of the service, in a process of its own. */
export interface Service {
  url: string;
  /** Ends the process without a warning. */
  kill(): Promise<void>;
  /** Asks it to end, and waits. */
  stop(): Promise<void>;
  /** Sends a signal, and does not wait. */
  tell(signal: NodeJS.Signals): void;
  /** Its exit code once it has ended; null: a signal has ended it. */
  ended: Promise<number | null>;
  /** What it has logged so far, in JSON lines. */
  logged: string[];
}

const START_MS = 300_000;
/** A machine that is busy with tests refuses nothing. */
const DEFAULTS = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', MAX_EVENT_LOOP_DELAY_MS: '0' };
const running = new Set<ChildProcess>();
// whatever happens to this process, none of its children outlives it
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const hurry = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await exited;
  clearTimeout(hurry);
}

/**
 * Starts the service from source with these settings and few others, on a free port unless they name one.
 *
 * @param root folder of the source: of this release, unless it is another's
 */
export async function startService(settings: Record<string, string>, root = packageRoot): Promise<Service> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'src', 'main.ts')], {
    cwd: root,
    env: { PATH: process.env.PATH, ...DEFAULTS, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = once(child, 'exit').then(([code]): number | null => code);
  const logged: string[] = [];
  child.once('exit', () => running.delete(child));
  const errors: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      logged.push(line);
      const found = /Forge is listening on (http:\/\/[\d.:]+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () =>
      reject(new Error(`the service did not start: ${errors.join('').slice(-2_000)}`)),
    );
  }).finally(() => clearTimeout(late));
  return {
    url,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    tell: (signal) => void child.kill(signal),
    ended,
    logged,
  };
}
