import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterServers } from '../helpers/cluster.ts';
import type { StatementPlan } from '../helpers/statement-plans.ts';
import { reasonFor } from './fan-out.ts';
import { tryFilled } from './filled.ts';
import { say } from './report.ts';

// npm run test:citus [-- PATH...]: the tests that need a database, on a cluster of Citus, and then the plans of all statements that the
// service has sent: one that goes to more than one node without standing in fan-out.ts fails the run. TEST_CITUS_URLS names the nodes,
// the coordinator first: `postgres://user@host:5432/postgres,...`, of roles that may create databases. Without paths it ends with a
// database that is distributed when it is full (filled.ts), which `filled` does alone; `nodes` stops a node under load and adds one (nodes.ts).

const FOLDERS = ['test/db', 'test/api', 'test/services', 'test/retrieval', 'test/routes', 'test/jobs'];

async function runTests(paths: readonly string[], plans: string): Promise<number> {
  const child = spawn('npx', ['vitest', 'run', '--project', 'service', ...paths], {
    stdio: 'inherit',
    env: { ...process.env, TEST_PLANS_FILE: plans },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Whether all of a statement is done by one node, or by the coordinator, in one go. */
const isRouted = ({ tasks, subplans, failed }: StatementPlan): boolean =>
  failed === undefined && subplans === 0 && tasks.every((count) => count <= 1);

async function readPlans(file: string): Promise<StatementPlan[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const plans = text
    .split('\n')
    .filter(Boolean)
    .map((line): StatementPlan => JSON.parse(line));
  return [...new Map(plans.map((plan) => [plan.sql, plan])).values()];
}

async function main(paths: readonly string[]): Promise<number> {
  if (!clusterServers()) {
    say(
      'TEST_CITUS_URLS names no cluster: addresses of its nodes, the coordinator first, with commas between them.',
    );
    return 2;
  }
  if (paths[0] === 'nodes') return (await import('./nodes.ts')).tryNodes();
  if (paths[0] === 'filled') return tryFilled();
  const folder = await mkdtemp(join(tmpdir(), 'forge-plans-'));
  try {
    const file = join(folder, 'plans.jsonl');
    const code = await runTests(paths.length > 0 ? paths : FOLDERS, file);
    const plans = await readPlans(file);
    const elsewhere = plans.filter((plan) => !isRouted(plan));
    const refused = elsewhere.filter((plan) => reasonFor(plan.sql) === undefined);
    say(
      `${plans.length} statements, ${plans.length - elsewhere.length} of them routed to one node, ${elsewhere.length - refused.length} that are known to go further.`,
    );
    for (const { sql, tasks, subplans, failed } of refused) {
      say(
        `REFUSED: ${failed ?? `shards ${tasks.join(', ')}, ${subplans} results carried between`}\n  ${sql}`,
      );
    }
    const filled = paths.length > 0 ? 0 : await tryFilled();
    return refused.length > 0 ? 1 : code || filled;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

process.exit(await main(process.argv.slice(2)));
