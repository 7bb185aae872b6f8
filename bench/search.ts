import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { openDatabase } from '../src/db/open.ts';
import { createLocalModel } from '../src/embeddings/local.ts';
import { searchDocuments } from '../src/retrieval/documents.ts';
import type { DocumentFilters, SearchMode } from '../src/retrieval/passage.ts';
import { createQueryEmbedder, type QueryEmbedder } from '../src/retrieval/query-vector.ts';
import type { Scope } from '../src/scope.ts';
import { storeDocument, storeProject } from '../test/helpers/stored-document.ts';
import { type Percentiles, percentilesOf } from './percentiles.ts';
import { makeDocuments, makeTopics, seededRandom, type Topics } from './search-corpus.ts';

const QUERIES = 200;
const WARM_UP = 20;
const LIMIT = 4;
const RECALL_AT = 10;
const FILES_PER_TRANSACTION = 20;
const NO_FILTERS: DocumentFilters = { filenames: [], headerPath: [], mediaTypes: [] };

/** One line of the result. */
export interface SearchBenchRow extends Percentiles {
  database: string;
  leaves: number;
  what: string;
  /** Share of the true nearest leaves that semantic search found; null where nothing is compared. */
  recall: number | null;
}

interface BenchQuery {
  text: string;
  vector: Float32Array;
}

interface Corpus {
  scope: Scope;
  queries: BenchQuery[];
  vectors: Map<string, Float32Array>;
}

async function buildCorpus(db: Database, leaves: number): Promise<Corpus> {
  const random = seededRandom(leaves);
  const topics: Topics = makeTopics(random);
  const scope = await storeProject(db, `bench-${leaves}`);
  const vectors = new Map<string, Float32Array>();
  const documents = [...makeDocuments(leaves, topics)];
  for (let from = 0; from < documents.length; from += FILES_PER_TRANSACTION) {
    await db.transaction(async (tx) => {
      for (const made of documents.slice(from, from + FILES_PER_TRANSACTION)) {
        for (const [id, vector] of made.vectors) vectors.set(id, vector);
        await storeDocument(tx, scope, made.document, (leaf) => made.vectors.get(leaf.id));
      }
    });
  }
  await db.query('vacuum analyze');
  const queries = Array.from({ length: QUERIES + WARM_UP }, () => {
    const topic = topics.pick();
    // as questions are: some words of the topic, among some that half of all texts have
    return { text: topics.textOn([...topic.words.slice(0, 5)], 12), vector: topics.vectorNear(topic.latent) };
  });
  return { scope, queries, vectors };
}

async function time(
  queries: readonly BenchQuery[],
  run: (query: BenchQuery) => Promise<unknown>,
): Promise<Percentiles> {
  const taken: number[] = [];
  for (const [index, query] of queries.entries()) {
    const startedAt = performance.now();
    await run(query);
    if (index >= WARM_UP) taken.push(performance.now() - startedAt);
  }
  return percentilesOf(taken);
}

function nearest(vectors: ReadonlyMap<string, Float32Array>, query: Float32Array): string[] {
  const similarity = (vector: Float32Array) =>
    vector.reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0);
  return [...vectors]
    .map(([id, vector]) => ({ id, similarity: similarity(vector) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, RECALL_AT)
    .map(({ id }) => id);
}

/** Share of the truly nearest leaves that semantic search explains as such. */
async function measureRecall(db: Database, { scope, queries, vectors }: Corpus): Promise<number> {
  let found = 0;
  const sample = queries.slice(0, 25);
  for (const { text, vector } of sample) {
    const { passages } = await searchDocuments(db, scope, {
      ...{ text, vector, limit: 2 * RECALL_AT, mode: 'semantic', filters: NO_FILTERS, explain: true },
    });
    const ranked = passages
      .flatMap((passage) => passage.explain?.leaves ?? [])
      .sort((a, b) => (a.denseRank ?? Infinity) - (b.denseRank ?? Infinity));
    const first = new Set(ranked.slice(0, RECALL_AT).map(({ leafId }) => leafId));
    found += nearest(vectors, vector).filter((id) => first.has(id)).length;
  }
  return found / (sample.length * RECALL_AT);
}

async function benchDatabase(
  db: Database,
  leaves: number,
  embedder: QueryEmbedder,
): Promise<SearchBenchRow[]> {
  const corpus = await buildCorpus(db, leaves);
  const search =
    (mode: SearchMode, filters = NO_FILTERS, limit = LIMIT) =>
    (query: BenchQuery) =>
      searchDocuments(db, corpus.scope, { ...query, denseWeight: 0.2, limit, mode, filters, explain: false });
  const oneFile = { ...NO_FILTERS, filenames: ['report-7.md'] };
  const row = (what: string, percentiles: Percentiles, recall: number | null = null): SearchBenchRow => ({
    ...{ database: db.kind, leaves, what, ...percentiles, recall },
  });
  const { queries } = corpus;
  return [
    row('semantic', await time(queries, search('semantic')), await measureRecall(db, corpus)),
    row('lexical', await time(queries, search('lexical'))),
    row('hybrid', await time(queries, search('hybrid'))),
    row('hybrid, 50 parents', await time(queries, search('hybrid', NO_FILTERS, 50))),
    row('hybrid, one file', await time(queries, search('hybrid', oneFile))),
    row(
      'hybrid with the local model',
      await time(queries.slice(0, WARM_UP + 60), async (query) =>
        search('hybrid')({ ...query, vector: (await embedder.embed(query.text)) ?? query.vector }),
      ),
    ),
  ];
}

/** A database of the bench's own: embedded in a temporary folder, or a new one on a server, dropped at the end. */
async function withDatabase<T>(url: string | undefined, run: (db: Database) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-bench-'));
  const name = `forge_bench_${process.pid}`;
  const admin = url && (await openDatabase({ url, dataDir: '', poolSize: 1 }));
  if (admin) await admin.query(`create database ${name}`);
  const own = url && Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const db = await openDatabase({ url: own || undefined, dataDir: folder, poolSize: 10 });
  try {
    await migrate(db);
    return await run(db);
  } finally {
    await db.close();
    if (admin) {
      await admin.query(`drop database ${name} with (force)`);
      await admin.close();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Measures document search in projects of 2,000 (and, if asked, more) leaves: on the embedded database, and on the
 * server of BENCH_DATABASE_URL or TEST_DATABASE_URL where there is one.
 */
export async function runSearchBench({ large = false } = {}): Promise<SearchBenchRow[]> {
  const server = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL;
  const model = createLocalModel({ workers: 1 });
  const rows: SearchBenchRow[] = [];
  try {
    for (const url of server ? [undefined, server] : [undefined]) {
      for (const leaves of large ? [2_000, 10_000] : [2_000]) {
        // no cache: each query is embedded
        const embedder = createQueryEmbedder(model, { cacheSize: 0 });
        const measured = await withDatabase(url, (db) => benchDatabase(db, leaves, embedder));
        printRows(measured);
        rows.push(...measured);
      }
    }
  } finally {
    await model.close();
  }
  return rows;
}

function printRows(rows: readonly SearchBenchRow[]): void {
  for (const { database, leaves, what, p50, p95, recall } of rows) {
    console.log(
      `${database.padEnd(10)}${String(leaves).padStart(7)} leaves  ${what.padEnd(30)} p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95
        .toFixed(1)
        .padStart(6)} ms${recall === null ? '' : `  recall@${RECALL_AT} ${recall.toFixed(3)}`}`,
    );
  }
}
