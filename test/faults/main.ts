import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSuites, type Suites } from './suites.ts';

// npm run test:faults [-- NAME... --runs N]: breaks the service on purpose, those named or all. Bounded, on the loopback
// interface only; it ends no process but those that it has started.

const SUITES: Suites = {
  ingest: async () => (await import('./ingest.ts')).breakIngest,
  turns: async () => (await import('./turns.ts')).breakTurns,
  research: async () => (await import('./research.ts')).breakResearch,
  database: async () => (await import('./database.ts')).breakDatabase,
  safety: async () => (await import('./safety.ts')).practiseSafety,
  streams: async () => (await import('./streams.ts')).crowdStreams,
  proxy: async () => (await import('./proxy.ts')).streamThroughProxy,
};
const RESULTS = process.env.FAULTS_OUT ?? join(tmpdir(), 'forge-faults');

/** Takes `--runs N` out of the arguments: the suites read how many rounds they make as they are loaded. */
function namesOf(args: string[]): string[] {
  const at = args.indexOf('--runs');
  if (at === -1) return args;
  process.env.FAULT_ROUNDS = String(Number(args[at + 1]) || 1);
  return args.toSpliced(at, 2);
}

process.exit(await runSuites(SUITES, namesOf(process.argv.slice(2)), RESULTS));
