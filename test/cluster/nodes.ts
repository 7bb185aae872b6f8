import { exec } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startService } from '../faults/service.ts';
import { addNode, clusterServers, createDistributed, prepareTemplate } from '../helpers/cluster.ts';
import { type Answer, startLoad } from './load.ts';
import { check, say } from './report.ts';

// npm run test:citus -- nodes: stops the last worker of TEST_CITUS_URLS under load by the command TEST_CITUS_STOP, starts it by
// TEST_CITUS_START, and then adds the node of TEST_CITUS_SPARE and moves shards to it while serving. What is not named is not tried.

const PROJECTS = Array.from({ length: 12 }, (_, index) => `p${index}`);
const run = promisify(exec);

/** Ports of the nodes that projects are on, and what asks for them. */
async function placesOf(url: string): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select id, s.nodeport as port from unnest($1::text[]) as id
       join pg_dist_shard_placement s on s.shardid = get_shard_id_for_distribution_column('projects', id)`,
    [PROJECTS],
  );
  await client.end();
  return new Map(rows.map(({ id, port }) => [id, port]));
}

/** How many there were, and how long the one in the middle took. */
function summary(answers: readonly Answer[]): string {
  const ordered = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  return `${answers.length} requests, ${Math.round(ordered[ordered.length >> 1] ?? 0)} ms at the median`;
}

type Load = Awaited<ReturnType<typeof startLoad>>;

/** One node stops and comes back. */
async function loseNode(load: Load, lost: readonly string[], failures: string[]): Promise<void> {
  const { TEST_CITUS_STOP: stop, TEST_CITUS_START: start } = process.env;
  if (!stop || !start) return say('not tried: TEST_CITUS_STOP and TEST_CITUS_START are not both set');
  await run(stop);
  // what was on its way when it stopped
  await delay(2_000);
  load.take();
  await delay(10_000);
  const while_ = load.take();
  const of = (isLost: boolean) => while_.filter(({ project }) => lost.includes(project) === isLost);
  say(`while it was down: other projects ${summary(of(false))}; its own ${summary(of(true))}`);
  const others = of(false).filter(({ status }) => status >= 400);
  for (const { project, status, what } of others.slice(0, 5)) say(`  ${what} of ${project}: ${status}`);
  check(failures, 'projects of other nodes are served', of(false).length > 0 && others.length === 0);
  check(
    failures,
    'its own are refused with 503, a problem document and Retry-After',
    of(true).length > 0 &&
      of(true).every(({ status, isProblem, retryAfter }) => status === 503 && isProblem && retryAfter > 0),
  );
  await run(start);
  await delay(3_000);
  load.take();
  await delay(5_000);
  check(
    failures,
    'all are served once it is back',
    load.take().every(({ status }) => status < 400),
  );
}

/** A further node takes its share while all are served. */
async function growCluster(url: string, load: Load, failures: string[]): Promise<void> {
  const spare = process.env.TEST_CITUS_SPARE;
  if (!spare) return say('not tried: TEST_CITUS_SPARE is not set');
  const before = await placesOf(url);
  load.take();
  await addNode(url, spare);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select rebalance_table_shards(shard_transfer_mode => $1)', ['force_logical']);
  await client.end();
  await delay(2_000);
  const answers = load.take();
  const failed = answers.filter(({ status }) => status >= 400);
  const after = await placesOf(url);
  const moved = PROJECTS.filter((id) => before.get(id) !== after.get(id));
  say(
    `while shards were moved: ${summary(answers)}, ${failed.length} refused; ${moved.length} projects moved`,
  );
  for (const { project, status, what } of failed.slice(0, 5)) say(`  ${what} of ${project}: ${status}`);
  check(failures, 'projects have moved to the new node', moved.length > 0);
  check(
    failures,
    'requests are served meanwhile',
    failed.every(({ status }) => status === 503) && failed.length * 20 <= answers.length,
  );
}

/** @returns exit code */
export async function tryNodes(): Promise<number> {
  const servers = clusterServers();
  const last = servers?.at(-1);
  if (!servers || last === undefined || servers.length < 3)
    throw new Error('TEST_CITUS_URLS names no coordinator with two workers');
  await prepareTemplate(servers);
  const { url, remove } = await createDistributed(servers);
  const service = await startService({ DATABASE_URL: url, ALLOW_OPEN: 'true', EMBEDDING_PROVIDER: 'off' });
  const failures: string[] = [];
  try {
    const load = await startLoad(service.url, PROJECTS);
    await delay(3_000);
    load.take();
    await delay(5_000);
    say(`all nodes up: ${summary(load.take())}`);
    const places = await placesOf(url);
    const port = Number(new URL(last).port);
    await loseNode(
      load,
      PROJECTS.filter((id) => places.get(id) === port),
      failures,
    );
    await growCluster(url, load, failures);
    const lost = await load.stop();
    say(
      `${load.acknowledged()} uploads were acknowledged; not there in the end: ${lost.join(', ') || 'none'}`,
    );
    check(failures, 'nothing that was acknowledged is lost', lost.length === 0);
  } finally {
    await service.stop();
    await remove();
  }
  return failures.length === 0 ? 0 : 1;
}
