import { setTimeout as delay } from 'node:timers/promises';
import { forSystem } from '../../src/db/bound-database.ts';
import type { Database } from '../../src/db/database.ts';
import { readFacts } from '../../src/db/distribution/catalog.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { pinFormats, selectTables } from '../../src/db/table-rows.ts';
import { DEFAULT_WORKSPACE } from '../../src/scope.ts';
import { digestOf } from '../../src/services/backups/table-lines.ts';
import { enqueueIndexing } from '../../src/services/lexical-index.ts';
import { keepSegments } from '../../src/services/segments.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { clusterServers, createUndistributed } from '../helpers/cluster.ts';
import { runForge } from '../helpers/command-line.ts';
import { prose } from '../helpers/prose.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';
import { check, say } from './report.ts';

// npm run test:citus -- filled: fills a database that is not distributed, distributes it with `forge distribute`, and compares every row of
// every table, and what the service answers, with what was there before. What waited to be done is done by the service afterwards.

const PROJECTS = Array.from({ length: 8 }, (_, index) => `p${index}`);
const LARGE = { workspaceId: DEFAULT_WORKSPACE, projectId: 'large' };
const LARGE_FILES = 60;
const SEGMENTS = { fromLeaves: 100, leastLeaves: 200, leastFiles: 1_000, mostLeaves: 500, mostSmall: 3 };
const QUERIES = ['how deep is the harbour', 'grinder clicks on Tuesday', 'ships of the company', 'river 17'];
/** What stays of a project that is deleted: what it has cost, and what webhooks are told of it. */
const LEFT = ['spending', 'webhook_deliveries'];
const model = fakeEmbeddingModel();

async function fillByService(forge: TestApp): Promise<void> {
  const webhook = await forge.call('POST', '/webhooks', { url: 'https://hooks.example/' });
  if (webhook.status !== 201) throw new Error(`a webhook: ${webhook.status} ${webhook.text}`);
  await forge.uploadToLibrary({
    'standards.md': '# Standards\n\nA harbour is deep when ships can enter it.\n',
  });
  for (const id of PROJECTS) {
    await forge.call('POST', '/projects', { id, name: `Project ${id}` });
    await forge.upload(id, { 'harbour.md': `# Harbour\n\nThe harbour of ${id} is deep.\n` });
    // a second version of one, beside another file
    await forge.upload(id, {
      'harbour.md': `# Harbour\n\nThe harbour of ${id} is deep, and its ships are many.\n\n# Company\n\nShips of the company.\n`,
      'grinder.txt': `The grinder of ${id} is calibrated every Tuesday, 18 clicks from zero.`,
    });
    await forge.call('PATCH', `/projects/${id}`, { name: `Renamed ${id}` });
    await forge.call('POST', `/projects/${id}/turns`, { message: `How deep is the harbour of ${id}?` });
    await forge.call('POST', `/projects/${id}/research`, { question: 'How many ships are there?' });
  }
  await forge.settle();
}

/** A project with segments. */
async function fillLarge(db: Database): Promise<void> {
  await storeProject(db, LARGE.projectId);
  for (let file = 0; file < LARGE_FILES; file += 1) {
    const leaves = Array.from({ length: 10 }, (_, n) => `River ${file * 10 + n}: ${prose(file * 10 + n, 4)}`);
    const document = sectionedDocument(`river-${file}.md`, [{ path: ['Rivers'], leaves }]);
    await db.transaction((tx) => storeDocument(tx, LARGE, document, ({ text }) => model.vectorOf(text)));
  }
  while (await keepSegments(db, LARGE, SEGMENTS));
}

/** What no service comes to do before all is moved: files whose words are to be indexed again. */
async function leaveWork(db: Database): Promise<void> {
  await db.query(`update files set lexical_build = lexical_build - 1 where name = 'grinder.txt'`);
  await enqueueIndexing(db, 'older');
}

/** Rows of every table, with a digest of what is in them. */
const digests = (db: Database): Promise<Map<string, { rows: number; digest: string }>> =>
  db.transaction(async (tx) => {
    await pinFormats(tx);
    const found = new Map<string, { rows: number; digest: string }>();
    for (const table of await selectTables(tx)) found.set(table.name, await digestOf(tx, table));
    return found;
  });

/** What the service answers about everything in it. */
async function answers(forge: TestApp): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const get = async (path: string) => found.set(path, (await forge.call('GET', path)).body);
  await get('/projects');
  await get('/library/files');
  for (const id of [...PROJECTS, LARGE.projectId]) {
    // not what has been used, which searches add to: its rows are compared
    for (const path of ['', '/files', '/turns', '/research', '/events?after=0']) {
      await get(`/projects/${id}${path}`);
    }
    for (const query of QUERIES) {
      for (const mode of ['hybrid', 'lexical', 'semantic']) {
        const asked = { query, mode, limit: 8 };
        const { status, body } = await forge.call('POST', `/projects/${id}/search`, asked);
        if (status !== 200) throw new Error(`search of ${id}: ${status} ${JSON.stringify(body)}`);
        found.set(`${id} ${mode} ${query}`, body.data);
      }
    }
    const hits = QUERIES.flatMap((query) => found.get(`${id} hybrid ${query}`));
    if (hits.length === 0) throw new Error(`nothing is found in ${id}: there is nothing to compare`);
  }
  return found;
}

const differences = <T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): string[] =>
  [...before].flatMap(([key, value]) => {
    const [was, is] = [JSON.stringify(value), JSON.stringify(after.get(key))];
    return was === is ? [] : [`${key}\n    was ${was.slice(0, 300)}\n    is  ${String(is).slice(0, 300)}`];
  });

function compare<T>(
  failures: string[],
  what: string,
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): void {
  const found = differences(before, after);
  for (const line of found.slice(0, 5)) say(`  ${line}`);
  check(failures, `${before.size} ${what} are as they were`, found.length === 0 && before.size > 0);
}

async function isIndexed(db: Database): Promise<boolean> {
  for (let left = 600; left > 0; left -= 1) {
    const { rows } = await db.query<{ stale: number; jobs: number }>(
      `select (select count(*) from files where name = 'grinder.txt' and lexical_build <> (select max(lexical_build) from files))::int as stale,
         (select count(*) from jobs)::int as jobs`,
    );
    if (rows[0]?.stale === 0 && rows[0].jobs === 0) return true;
    await delay(100);
  }
  return false;
}

/** Tables that have rows of a project. */
async function tablesWith(db: Database, project: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, columns } of await selectTables(db)) {
    if (!columns.some((column) => column.name === 'project_id')) continue;
    const { rows } = await db.query(`select 1 from ${name} where project_id = $1 limit 1`, [project]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

const serve = (db: Database): Promise<TestApp> =>
  startTestApp({ overrides: { db: { ...db, close: async () => undefined } } });

async function fill(db: Database): Promise<Map<string, unknown>> {
  const forge = await serve(db);
  try {
    await fillByService(forge);
    await fillLarge(forSystem(db));
    return await answers(forge);
  } finally {
    await forge.close();
  }
}

async function serveAgain(
  db: Database,
  before: ReadonlyMap<string, unknown>,
  failures: string[],
): Promise<void> {
  const forge = await serve(db);
  try {
    check(failures, 'what waited to be done is done', await isIndexed(forSystem(db)));
    compare(failures, 'answers of the service', before, await answers(forge));
    await forge.upload('p0', { 'new.md': '# New\n\nA lighthouse stands on the mole.\n' });
    await forge.settle();
    const { body } = await forge.call('POST', '/projects/p0/search', { query: 'lighthouse on the mole' });
    check(failures, 'a new file is found', body.data[0]?.filename === 'new.md');
    await forge.call('DELETE', '/projects/p1');
    const left = await tablesWith(forSystem(db), 'p1');
    check(
      failures,
      `of a project that is deleted there is left: ${left.join(', ') || 'nothing'}`,
      left.toSorted().join() === LEFT.join(),
    );
  } finally {
    await forge.close();
  }
}

/** How many nodes have projects, and whether rows were left where nobody sees them. */
async function checkPlaces(db: Database, failures: string[]): Promise<void> {
  const { rows } = await db.query(
    `select nodeport from pg_dist_shard_placement where shardid in (
       select get_shard_id_for_distribution_column('projects', id) from unnest($1::text[]) as id) group by 1`,
    [PROJECTS],
  );
  check(failures, `projects are on ${rows.length} nodes`, rows.length > 1);
  const { tables } = await readFacts(db);
  check(failures, 'no row is left behind', !tables.some(({ hasLeftovers }) => hasLeftovers));
}

/** @returns exit code */
export async function tryFilled(): Promise<number> {
  const servers = clusterServers();
  if (!servers) throw new Error('TEST_CITUS_URLS names no cluster');
  const { url, remove } = await createUndistributed(servers);
  const failures: string[] = [];
  try {
    const db = await openDatabase({ url, dataDir: '', poolSize: 4 });
    try {
      await migrate(db);
      const before = await fill(db);
      const system = forSystem(db);
      await leaveWork(system);
      const rows = await digests(system);
      const settings = { DATABASE_URL: url };
      await runForge(['distribute', '--dry-run'], { settings });
      compare(failures, 'tables after a dry run', rows, await digests(system));
      const { code, stdout, stderr } = await runForge(['distribute'], { settings });
      if (code !== 0) throw new Error(`forge distribute: ${code}\n${stdout}\n${stderr}`);
      const all = [...rows.values()].reduce((sum, table) => sum + table.rows, 0);
      compare(failures, `tables of ${all} rows`, rows, await digests(system));
      await checkPlaces(system, failures);
      await serveAgain(db, before, failures);
    } finally {
      await db.close();
    }
  } finally {
    await remove();
  }
  return failures.length === 0 ? 0 : 1;
}
