import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable, type Row, say } from './table.ts';

// npm run test:faults [-- NAME... --runs N]: breaks the service on purpose, those named or all. Bounded, on the loopback
// interface only; it ends no process but those that it has started.

interface Suite {
  /** One row for each thing that was tried; a row with `failed` fails the run. */
  run(): Promise<Row[]>;
}

const SUITES: Record<string, () => Promise<Suite>> = {
  ingest: async () => ({ run: (await import('./ingest.ts')).breakIngest }),
  turns: async () => ({ run: (await import('./turns.ts')).breakTurns }),
  research: async () => ({ run: (await import('./research.ts')).breakResearch }),
  database: async () => ({ run: (await import('./database.ts')).breakDatabase }),
  streams: async () => ({ run: (await import('./streams.ts')).crowdStreams }),
  proxy: async () => ({ run: (await import('./proxy.ts')).streamThroughProxy }),
};
const RESULTS = process.env.FAULTS_OUT ?? join(tmpdir(), 'forge-faults');

async function main(names: string[]): Promise<number> {
  const unknown = names.filter((name) => !Object.hasOwn(SUITES, name));
  if (unknown.length > 0) {
    say(`There is no suite ${unknown.join(', ')}. There are: ${Object.keys(SUITES).join(', ')}`);
    return 2;
  }
  let failures = 0;
  let skipped = 0;
  for (const [name, load] of Object.entries(SUITES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`\n${name}`);
    const rows = await (await load()).run();
    say(formatTable(rows));
    const failed = rows.filter((row) => row.failed !== '');
    failures += failed.length;
    skipped += rows.filter((row) => row.skipped !== undefined).length;
    for (const row of failed) say(`FAILED: ${row.failed}`);
    await mkdir(RESULTS, { recursive: true });
    await writeFile(join(RESULTS, `${name}.json`), `${JSON.stringify(rows, null, 2)}\n`);
  }
  const held = skipped === 0 ? 'all held' : `all held but ${skipped} skipped`;
  say(failures === 0 ? `\n${held}` : `\n${failures} failed`);
  return failures === 0 ? 0 : 1;
}

/** Takes `--runs N` out of the arguments: the suites read how many rounds they make as they are loaded. */
function namesOf(args: string[]): string[] {
  const at = args.indexOf('--runs');
  if (at === -1) return args;
  process.env.FAULT_ROUNDS = String(Number(args[at + 1]) || 1);
  return args.toSpliced(at, 2);
}

process.exit(await main(namesOf(process.argv.slice(2))));
