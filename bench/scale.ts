import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../src/db/database.ts';
import { selectNearestByIndex, selectNearestLeaves } from '../src/db/nearest-leaves.ts';
import { openUnlimited } from '../src/db/open.ts';
import { hasVectorIndex } from '../src/db/vector-indexes.ts';
import { LOCAL_CALIBRATION } from '../src/embeddings/local.ts';
import { packageRoot } from '../src/package-root.ts';
import { searchDocuments } from '../src/retrieval/documents.ts';
import { rankByWords } from '../src/retrieval/lexical.ts';
import type { DocumentFilters } from '../src/retrieval/passage.ts';
import { type RetrievalTuning, retrievalTuning } from '../src/retrieval/tuning.ts';
import type { Scope } from '../src/scope.ts';
import { keepSegments } from '../src/services/segments.ts';
import { keepVectorIndexes } from '../src/services/vector-indexes.ts';
import { storeProject } from '../test/helpers/rows/project.ts';
import { storeDocument } from '../test/helpers/stored-document.ts';
import { withBenchDatabase } from './bench-database.ts';
import { lineChart } from './chart.ts';
import { type Percentiles, timeEach } from './percentiles.ts';
import { makeDocuments, makeTopics, seededRandom } from './search-corpus.ts';

const SIZES = [10_000, 100_000];
const LARGEST = 1_000_000;
const QUERIES = 100;
const WARM_UP = 20;
const ROUNDS_BEFORE = 4;
const COMPARED = 30;
const RECALL_AT = 10;
const LIMIT = 4;
const DIMENSIONS = 512;
const FILES_PER_TRANSACTION = 20;
/** At a time: the corpus is stored by as many connections. */
const STORING = 3;
export const NO_FILTERS: DocumentFilters = { filenames: [], headerPath: [], mediaTypes: [] };

interface ScaleRow extends Percentiles {
  leaves: number;
  what: string;
  /** Share of the ten best of comparing everything; null where nothing is compared. */
  recall: number | null;
}

interface Query {
  text: string;
  vector: Float32Array;
}

/** A project that is measured. */
interface Corpus {
  scope: Scope;
  queries: Query[];
  leaves: number;
  /** It was stored just now, and has neither index nor segments yet. */
  isNew: boolean;
  buildIndex(): Promise<void>;
}

export async function storeCorpus(db: Database, leaves: number): Promise<Scope> {
  const topics = makeTopics(seededRandom(leaves));
  const scope = await storeProject(db, `bench-${leaves}`);
  const under = new Set<Promise<void>>();
  let batch: { document: Parameters<typeof storeDocument>[2]; vectors: Map<string, Float32Array> }[] = [];
  const store = async (): Promise<void> => {
    const own = batch;
    batch = [];
    await db.transaction(async (tx) => {
      for (const { document, vectors } of own)
        await storeDocument(tx, scope, document, ({ id }) => vectors.get(id));
    });
  };
  for (const made of makeDocuments(leaves, topics)) {
    batch.push(made);
    if (batch.length < FILES_PER_TRANSACTION) continue;
    const storing: Promise<void> = store().finally(() => under.delete(storing));
    under.add(storing);
    if (under.size >= STORING) await Promise.race(under);
  }
  await Promise.all([...under, store()]);
  await db.query('vacuum analyze');
  return scope;
}

/** What is asked of a corpus: on its topics, and in words and vectors of its own. */
export function makeQueries(leaves: number): Query[] {
  const topics = makeTopics(seededRandom(leaves), seededRandom(leaves + 1));
  return Array.from({ length: QUERIES + WARM_UP }, () => {
    const topic = topics.pick();
    return { text: topics.textOn(topic.words.slice(0, 5), 12), vector: topics.vectorNear(topic.latent) };
  });
}

/** The project of a corpus that an earlier run has kept. */
async function keptCorpus(db: Database): Promise<Scope | undefined> {
  const { rows } = await db.query<Scope>(
    'select workspace_id as "workspaceId", project_id as "projectId" from projects',
  );
  return rows[0];
}

const time = (queries: readonly Query[], run: (query: Query) => Promise<unknown>): Promise<Percentiles> =>
  timeEach(queries, run, WARM_UP);

type Hits = readonly { fileId: string; leafIndex: number }[];
const keysOf = (hits: Hits): string[] =>
  hits.slice(0, RECALL_AT).map((hit) => `${hit.fileId} ${hit.leafIndex}`);

async function recallOf(
  queries: readonly Query[],
  found: (query: Query) => Promise<Hits>,
  exact: (query: Query) => Promise<Hits>,
): Promise<number> {
  let same = 0;
  let all = 0;
  for (const query of queries.slice(0, COMPARED)) {
    const known = new Set(keysOf(await found(query)));
    const best = keysOf(await exact(query));
    all += best.length;
    same += best.filter((key) => known.has(key)).length;
  }
  return same / all;
}

/** Everything is read at once, whatever the size. */
const AT_ONCE = {
  ...retrievalTuning.lexical,
  mostPostings: 1e9,
  large: { ...retrievalTuning.lexical.large, fromLeaves: 1e9 },
};

/** Every tenth file. */
const OTHER_TYPE = 'application/pdf';
const TENTH = { ...NO_FILTERS, mediaTypes: [OTHER_TYPE] };
/** One file in a hundred. */
const hundredth = (leaves: number): DocumentFilters => ({
  ...NO_FILTERS,
  filenames: Array.from({ length: leaves / 5_000 }, (_, file) => `report-${100 * file}.md`),
});

/** Searches of one project: exact and by index, by words and both, in all of it and in parts. */
export async function measureProject(
  db: Database,
  { scope, queries, leaves, isNew, buildIndex }: Corpus,
): Promise<ScaleRow[]> {
  const search =
    (mode: 'semantic' | 'lexical' | 'hybrid', filters = NO_FILTERS) =>
    (query: Query) =>
      searchDocuments(db, scope, {
        ...{ ...query, calibration: LOCAL_CALIBRATION, limit: LIMIT, mode, filters, explain: false },
      });
  const near = { limit: 50, filter: NO_FILTERS };
  const exact = ({ vector }: Query) => selectNearestLeaves(db, scope, { ...near, vector });
  const byIndex = ({ vector }: Query) => selectNearestByIndex(db, scope, { ...near, vector });
  const words = (tuning: RetrievalTuning['lexical']) => async (query: Query) =>
    (await rankByWords(db, scope, { text: query.text, limit: 50, filters: NO_FILTERS }, tuning)).hits;

  const rows: ScaleRow[] = [];
  const add = (what: string, percentiles: Percentiles, recall: number | null = null): void => {
    const row = { leaves, what, ...percentiles, recall };
    rows.push(row);
    printRow(row);
  };
  const few = queries.slice(0, WARM_UP + COMPARED);
  add('yardstick: select 1', await time(queries, () => db.query('select 1')));
  add('yardstick: all vectors compared', await time(few, exact));
  const startedAt = performance.now();
  await buildIndex();
  const building = performance.now() - startedAt;
  if (isNew) add('building the index of vectors', { p50: building, p95: building, runs: 1 });
  const { large } = retrievalTuning.lexical;
  if (leaves >= large.fromLeaves) {
    const from = performance.now();
    while (await keepSegments(db, scope));
    const merging = performance.now() - from;
    if (isNew) add('making the segments of postings', { p50: merging, p95: merging, runs: 1 });
    await db.query('analyze');
  }
  const inHundredth = search('hybrid', hundredth(leaves));
  // a service that has been at work for a while: its code is compiled, and what it reads is in memory
  for (let round = 0; round < ROUNDS_BEFORE; round++) await time(queries, search('hybrid'));
  await time(queries, inHundredth);
  const { lexical } = retrievalTuning;
  const isIndexed = await hasVectorIndex(db, scope, DIMENSIONS);
  const timed = {
    vectors: isIndexed ? await time(queries, byIndex) : null,
    words: await time(queries, words(lexical)),
  };
  add('hybrid', await time(queries, search('hybrid')));
  add('hybrid, in a tenth of the files', await time(queries, search('hybrid', TENTH)));
  add('hybrid, in a hundredth of the files', await time(queries, inHundredth));
  // last: reading everything takes all else out of memory
  if (timed.vectors) {
    add('nearest vectors by index', timed.vectors, await recallOf(queries, byIndex, exact));
  }
  add('words', timed.words, await recallOf(queries, words(lexical), words(AT_ONCE)));
  return rows;
}

function printRow({ leaves, what, p50, p95, recall }: ScaleRow): void {
  const recalled = recall === null ? '' : `  recall@${RECALL_AT} ${recall.toFixed(3)}`;
  const figures = `p50 ${p50.toFixed(1).padStart(9)} ms  p95 ${p95.toFixed(1).padStart(9)} ms`;
  console.log(`${leaves.toLocaleString('en').padStart(10)} leaves  ${what.padEnd(36)} ${figures}${recalled}`);
}

/**
 * Measures search of one project of 10,000 and of 100,000 leaves on a Postgres server and, if asked, of 1,000,000, which takes
 * some half an hour to store and to index.
 *
 * @param options.keep keeps each corpus in a database of its own, `forge_scale_LEAVES`, for the next run with it
 */
export async function runScaleBench({ large = false, keep = false } = {}): Promise<ScaleRow[]> {
  const server = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  if (server === undefined) {
    console.log('skipped: name a Postgres server in BENCH_DATABASE_URL');
    return [];
  }
  const rows: ScaleRow[] = [];
  for (const leaves of large ? [...SIZES, LARGEST] : SIZES) {
    const measure = async (db: Database): Promise<void> => {
      const { rows: places } = await db.query<{ name: string }>('select current_database() as name');
      const url = new URL(server);
      url.pathname = `/${places[0]?.name}`;
      const open = () => openUnlimited(url.href);
      const buildIndex = async () => {
        await keepVectorIndexes({ db, open, fromLeaves: 20_000, dimensions: DIMENSIONS });
      };
      const known = await keptCorpus(db);
      const scope = known ?? (await storeCorpus(db, leaves));
      const corpus = { scope, queries: makeQueries(leaves), leaves, isNew: !known, buildIndex };
      rows.push(...(await measureProject(db, corpus)));
    };
    await withBenchDatabase(server, measure, keep ? `forge_scale_${leaves}` : undefined);
  }
  if (large) writeFileSync(join(packageRoot, 'docs', 'scaling.svg'), drawScale(rows));
  return rows;
}

const LINES = [
  { name: 'all vectors compared', what: 'yardstick: all vectors compared', colour: '#b04a2f' },
  { name: 'vectors by index', what: 'nearest vectors by index', colour: '#5b9e52' },
  { name: 'words', what: 'words', colour: '#c99a2e' },
  { name: 'hybrid search', what: 'hybrid', colour: '#2f6db0' },
];

/** The 95th percentile of each way to search, by size; below the size from which on it is used, an index has the exact figure. */
export function drawScale(rows: readonly ScaleRow[]): string {
  const sizes = [...new Set(rows.map(({ leaves }) => leaves))].sort((a, b) => a - b);
  const figure = (of: string, leaves: number): number | undefined =>
    rows.find((row) => row.what === of && row.leaves === leaves)?.p95;
  return lineChart({
    title: 'Search of one project, 95th percentile in milliseconds',
    xLabel: 'leaves of the project',
    yLabel: 'milliseconds',
    steps: sizes.map((leaves) => leaves.toLocaleString('en')),
    powersOf: 10,
    series: LINES.map(({ name, what, colour }) => ({
      ...{ name, colour },
      values: sizes.map(
        (leaves) => figure(what, leaves) ?? figure('yardstick: all vectors compared', leaves) ?? 1,
      ),
    })),
  });
}
