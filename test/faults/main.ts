import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runSuites, type Suites } from './suites.ts';
import { say } from './table.ts';

// npm run test:faults [-- NAME... --runs N --minutes 15 --seed N]: breaks the service on purpose, in the suites named or in all, on the
// embedded database and on the server of TEST_DATABASE_URL. Bounded, on the loopback interface only; it ends no process but
// those that it has started. The same seed makes the same run.

const SUITES: Suites = {
  ingest: async () => (await import('./ingest.ts')).breakIngest,
  contexts: async () => (await import('./contexts.ts')).breakContexts,
  turns: async () => (await import('./turns.ts')).breakTurns,
  research: async () => (await import('./research.ts')).breakResearch,
  database: async () => (await import('./database.ts')).breakDatabase,
  safety: async () => (await import('./safety.ts')).practiseSafety,
  streams: async () => (await import('./streams.ts')).crowdStreams,
  stop: async () => (await import('./stop.ts')).stopAll,
  proxy: async () => (await import('./proxy.ts')).streamThroughProxy,
};
const RESULTS = process.env.FAULTS_OUT ?? join(tmpdir(), 'forge-faults');

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

process.exit(await runSuites(SUITES, namesOf(process.argv.slice(2)), RESULTS));
