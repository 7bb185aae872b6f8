import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSuites, type Suites } from '../faults/suites.ts';

// npm run test:instances [-- NAME...]: several instances of the service on the server of TEST_DATABASE_URL, through and behind
// what stands around them in production. Bounded, on the loopback interface only; it ends no process but those that it
// has started.

const SUITES: Suites = {
  nginx: async () => async () => (await import('./deploy.ts')).deployBehind('nginx'),
  haproxy: async () => async () => (await import('./deploy.ts')).deployBehind('haproxy'),
  rolling: async () => (await import('./rolling.ts')).rollOver,
  replica: async () => (await import('./replica.ts')).readFromReplica,
  pgbouncer: async () => (await import('./pgbouncer.ts')).throughPgBouncer,
};
const RESULTS = process.env.INSTANCES_OUT ?? join(tmpdir(), 'forge-instances');

process.exit(await runSuites(SUITES, process.argv.slice(2), RESULTS));
