import { forSystem } from '../src/db/bound-database.ts';
import type { Database } from '../src/db/database.ts';
import { openDatabase } from '../src/db/open.ts';
import { fakeEmbeddingModel } from '../test/fakes/embedding-model.ts';
import { clusterServers, createDistributed, prepareTemplate } from '../test/helpers/cluster.ts';
import { withBenchDatabase } from './bench-database.ts';
import { type Percentiles, percentilesOf, timeEach } from './percentiles.ts';
import { makeQueries, storeCorpus } from './scale.ts';
import { startSearchServer } from './search-http.ts';

const PROJECTS = 8;
const LEAVES = 2_000;
const LARGE_LEAVES = 10_000;
/** One database after the other, so many times: a machine that is shared is not equally fast all the time. */
const ROUNDS = 5;
const SEARCHES = 40;
const WARM_UP = 5;
const LIMIT = 8;

/** What is searched, with what the rounds have measured. */
interface Measured {
  name: string;
  projects: string[];
  /** Leaves a second. */
  stored: number;
  alone: Percentiles[];
  together: (Percentiles & { perSecond: number })[];
}

type Side = Measured & Awaited<ReturnType<typeof startSearchServer>>;

/** Tables that searches read. */
const READ = 'projects, files, document_parents, document_leaves, leaf_vectors, leaf_postings';

/** Each project has another number of leaves, which its texts follow from. */
const sizesOf = (leaves: number): number[] => Array.from({ length: PROJECTS }, (_, n) => leaves + 50 * n);

async function prepare(name: string, db: Database, leaves: number): Promise<Side> {
  const projects: string[] = [];
  const sizes = sizesOf(leaves);
  const startedAt = performance.now();
  for (const size of sizes) projects.push((await storeCorpus(db, size)).projectId);
  const stored = (1_000 * sizes.reduce((sum, size) => sum + size, 0)) / (performance.now() - startedAt);
  await forSystem(db).query(`analyze ${READ}`);
  const service = await startSearchServer(db, fakeEmbeddingModel());
  return { name, projects, stored, alone: [], together: [], ...service };
}

async function measure({ search, projects, alone, together }: Side, leaves: number, round: number) {
  const queries = makeQueries(leaves + round).map(({ text }) => text);
  const asked = queries.slice(0, WARM_UP + SEARCHES);
  const [first = ''] = projects;
  alone.push(await timeEach(asked, (query) => search(first, query, LIMIT), WARM_UP));
  const taken: number[] = [];
  const startedAt = performance.now();
  await Promise.all(
    projects.map(async (project) => {
      for (const query of asked) {
        const from = performance.now();
        await search(project, query, LIMIT);
        taken.push(performance.now() - from);
      }
    }),
  );
  const perSecond = (1_000 * taken.length) / (performance.now() - startedAt);
  together.push({ ...percentilesOf(taken), perSecond });
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The figures of all rounds: each the median of them. */
function summaryOf({ name, stored, alone, together }: Measured, leaves: number) {
  const row = {
    ...{ database: name, leaves, stored },
    alone: { p50: median(alone.map(({ p50 }) => p50)), p95: median(alone.map(({ p95 }) => p95)) },
    together: {
      p50: median(together.map(({ p50 }) => p50)),
      p95: median(together.map(({ p95 }) => p95)),
      perSecond: median(together.map(({ perSecond }) => perSecond)),
    },
  };
  const figures = ({ p50, p95 }: { p50: number; p95: number }) =>
    `p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} ms`;
  console.log(
    `${name.padEnd(8)}${PROJECTS} x ${leaves} leaves  one client ${figures(row.alone)}  ${PROJECTS} clients ${figures(row.together)}  ` +
      `${row.together.perSecond.toFixed(1)}/s  stored ${row.stored.toFixed(0)} leaves/s`,
  );
  return row;
}

/** How much longer, or how much more, the second is in each round. */
function printRatios(first: Measured, second: Measured): void {
  const of = (what: string, pick: (side: Measured) => number[]): string => {
    const ratios = pick(second).map((value, round) => value / (pick(first)[round] ?? Number.NaN));
    return `${what} ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
  };
  console.log(
    [
      `${second.name} by ${first.name}, of each round:`,
      of('one client, p50', ({ alone }) => alone.map(({ p50 }) => p50)),
      of(`${PROJECTS} clients, p50`, ({ together }) => together.map(({ p50 }) => p50)),
      of('searches a second', ({ together }) => together.map(({ perSecond }) => perSecond)),
    ].join('  '),
  );
}

async function compare(plain: Database, cluster: Database, leaves: number) {
  const sides: Side[] = [];
  try {
    sides.push(await prepare('plain', plain, leaves), await prepare('cluster', cluster, leaves));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) await measure(side, leaves, round);
    }
    const [first, second] = sides;
    const rows = sides.map((side) => summaryOf(side, leaves));
    if (first && second) printRatios(first, second);
    return rows;
  } finally {
    for (const { close } of sides) await close();
  }
}

/**
 * Measures search by HTTP in eight projects of 2,000 leaves (if asked, of 10,000 too) on one Postgres server and on a cluster of
 * Citus, alternately: one client in one project, and a client in each.
 */
export async function runClusterBench({ large = false } = {}): Promise<ReturnType<typeof summaryOf>[]> {
  const server = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  const nodes = clusterServers();
  if (!server || !nodes) {
    console.log('skipped: name a Postgres server in BENCH_DATABASE_URL and a cluster in TEST_CITUS_URLS');
    return [];
  }
  await prepareTemplate(nodes);
  const rows: ReturnType<typeof summaryOf>[] = [];
  for (const leaves of large ? [LEAVES, LARGE_LEAVES] : [LEAVES]) {
    const { url, remove } = await createDistributed(nodes);
    const cluster = await openDatabase({ url, dataDir: '', poolSize: 10 });
    try {
      rows.push(...(await withBenchDatabase(server, (plain) => compare(plain, cluster, leaves))));
    } finally {
      await cluster.close();
      await remove();
    }
  }
  return rows;
}
