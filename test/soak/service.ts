import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { packageRoot } from '../../src/package-root.ts';
import type { FaultDatabase } from '../faults/databases.ts';

/** What the service held at a moment, after a collection of garbage; sizes in bytes. */
export interface Sample {
  /** Since the traffic began. */
  minute: number;
  /** What clients had done by then. */
  acts: number;
  rss: number;
  heapUsed: number;
  external: number;
  /** What keeps the process alive. */
  handles: number;
  timers: number;
  sockets: number;
  emitters: number;
  signals: number;
  promises: number;
  listeners: number;
  /** Prepared statements that connections to a server keep. */
  statements: number;
  /** Open files of the process; 0 where the system does not tell. */
  files: number;
  /** Of the database on its disk. */
  database: number;
}

export interface SoakService {
  url: string;
  sample(): Promise<Omit<Sample, 'minute' | 'acts'>>;
  /** A sample in a line. */
  show(sample: Sample | undefined): string;
  /** What the service complained of, and that it has ended. */
  problems(): string[];
  stop(): Promise<void>;
}

const ERROR_LEVEL = 50;
const MEGABYTE = 2 ** 20;

async function folderSize(folder: string): Promise<number> {
  let size = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    // files of a database come and go
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) size += found.size;
  }
  return size;
}

async function databaseSize({ settings }: FaultDatabase): Promise<number> {
  if (settings.DATA_DIR !== undefined) return folderSize(settings.DATA_DIR);
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query('select pg_database_size(current_database())::float8 as size');
    return rows[0].size;
  } finally {
    await client.end();
  }
}

function openFiles(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`;
  return existsSync(folder) ? readdirSync(folder).length : 0;
}

/** Complaints in what the process says: log lines of errors, warnings of listeners that add up. */
function hear(child: ChildProcess): string[] {
  const complaints: string[] = [];
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
    const level = /^\{"level":(\d+)/.exec(line)?.[1];
    if (level !== undefined && Number(level) >= ERROR_LEVEL) complaints.push(line.slice(0, 1_000));
  });
  createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => {
    if (/MaxListeners|Error|DeprecationWarning/.test(line)) complaints.push(line);
  });
  return complaints;
}

/** Starts what `npm start` runs, on a free port, with these settings and a probe for its memory. */
export async function startSoakService(
  database: FaultDatabase,
  settings: Record<string, string>,
): Promise<SoakService> {
  const main = join(packageRoot, 'dist', 'src', 'main.js');
  if (!existsSync(main)) throw new Error('run `npm run build` first: the soak runs what is built');
  const probe = join(packageRoot, 'test', 'soak', 'probe.mjs');
  const child = spawn(process.execPath, ['--expose-gc', '--import', probe, main], {
    cwd: packageRoot,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      // memory is what is measured, on a machine that may be busy with other things
      MAX_EVENT_LOOP_DELAY_MS: '0',
      ...database.settings,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const complaints = hear(child);
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      const found = /Forge is listening on (http:\/\/[\d.:]+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`the service did not start: ${complaints.join('\n')}`)));
  });
  return {
    url,
    async sample() {
      const answered = once(child, 'message');
      child.send('sample');
      const [measured] = await answered;
      return { ...measured, files: openFiles(child.pid), database: await databaseSize(database) };
    },
    show: (sample) =>
      sample === undefined
        ? ''
        : Object.entries(sample)
            .map(
              ([name, value]) =>
                `${name} ${value >= MEGABYTE ? `${(value / MEGABYTE).toFixed(1)}M` : Math.round(value * 10) / 10}`,
            )
            .join('  '),
    problems: () =>
      (child.exitCode ?? child.signalCode) === null ? complaints : [...complaints, 'the service has ended'],
    async stop() {
      process.off('exit', kill);
      if ((child.exitCode ?? child.signalCode) !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
