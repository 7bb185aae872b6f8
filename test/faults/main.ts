import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { summarise } from './summary.ts';
import { formatTable, type Row, say } from './table.ts';

// npm run test:faults [-- NAME... --runs N --minutes 15 --seed N]: breaks the service on purpose, in the suites named or in all, on the
// embedded database and on the server of TEST_DATABASE_URL. Bounded, on the loopback interface only; it ends no process but
// those that it has started. The same seed makes the same run.

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
  await mkdir(RESULTS, { recursive: true });
  const all = new Map<string, Row[]>();
  for (const [name, load] of Object.entries(SUITES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`\n${name}`);
    const rows = await (await load()).run();
    all.set(name, rows);
    say(formatTable(rows));
    await writeFile(join(RESULTS, `${name}.json`), `${JSON.stringify(rows, null, 2)}\n`);
  }
  const summary = summarise(all);
  const failures = [...all.values()].flat().filter((row) => row.failed !== '');
  say(`\n${formatTable(summary)}\n`);
  for (const { failed } of failures) say(`FAILED: ${failed}`);
  const skipped = summary.filter((row) => row.skipped !== undefined).length;
  const held = skipped === 0 ? 'all held' : `all held but ${skipped} skipped`;
  say(
    failures.length === 0
      ? held
      : `${failures.length} failed; --seed ${process.env.FAULT_SEED} makes the same run`,
  );
  return failures.length === 0 ? 0 : 1;
}

/** The suites that are named. What else is said is read by the suites as they are loaded. */
function namesOf(args: string[]): string[] {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { runs: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } },
  });
  if (values.runs !== undefined) process.env.FAULT_ROUNDS = values.runs;
  if (values.minutes !== undefined) process.env.FAULT_MINUTES = values.minutes;
  process.env.FAULT_SEED = values.seed ?? process.env.FAULT_SEED ?? String(randomInt(1_000_000));
  say(`--seed ${process.env.FAULT_SEED}`);
  return positionals;
}

process.exit(await main(namesOf(process.argv.slice(2))));
