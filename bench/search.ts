import type { SearchMode } from '../src/contract/passage.ts';
import type { Database } from '../src/db/database.ts';
import type { EmbeddingCalibration } from '../src/embeddings/calibration.ts';
import { createLocalModel } from '../src/embeddings/local.ts';
import type { EmbeddingModel } from '../src/embeddings/model.ts';
import { searchDocuments } from '../src/retrieval/documents.ts';
import type { DocumentFilters } from '../src/retrieval/passage.ts';
import { createQueryEmbedder } from '../src/retrieval/query-vector.ts';
import type { Scope } from '../src/scope.ts';
import { storeProject } from '../test/helpers/rows/project.ts';
import { storeDocument } from '../test/helpers/stored-document.ts';
import { benchTargets, withBenchDatabase } from './bench-database.ts';
import { type Percentiles, timeEach } from './percentiles.ts';
import { makeDocuments, makeTopics, seededRandom, type Topics } from './search-corpus.ts';
import { startSearchServer } from './search-http.ts';

const QUERIES = 200;
const WARM_UP = 20;
/** Queries measured where each is embedded too. */
const EMBEDDED_QUERIES = 60;
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

const time = (
  queries: readonly BenchQuery[],
  run: (query: BenchQuery) => Promise<unknown>,
): Promise<Percentiles> => timeEach(queries, run, WARM_UP);

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
async function measureRecall(
  db: Database,
  { scope, queries, vectors }: Corpus,
  calibration: EmbeddingCalibration,
): Promise<number> {
  let found = 0;
  const sample = queries.slice(0, 25);
  for (const { text, vector } of sample) {
    const { hits } = await searchDocuments(db, scope, {
      ...{ text, vector, calibration, limit: 2 * RECALL_AT, mode: 'semantic' },
      ...{ filters: NO_FILTERS, explain: true },
    });
    const ranked = hits
      .flatMap((passage) => passage.explain?.leaves ?? [])
      .sort((a, b) => (a.dense_rank ?? Infinity) - (b.dense_rank ?? Infinity));
    const first = new Set(ranked.slice(0, RECALL_AT).map(({ leaf_id }) => leaf_id));
    found += nearest(vectors, vector).filter((id) => first.has(id)).length;
  }
  return found / (sample.length * RECALL_AT);
}

async function benchProject(
  db: Database,
  corpus: Corpus,
  leaves: number,
  model: EmbeddingModel,
): Promise<SearchBenchRow[]> {
  // no cache: each query is embedded
  const embedder = createQueryEmbedder(model, { cacheSize: 0 });
  const { calibration } = model;
  const search =
    (mode: SearchMode, filters = NO_FILTERS, limit = LIMIT) =>
    (query: BenchQuery) =>
      searchDocuments(db, corpus.scope, { ...query, calibration, limit, mode, filters, explain: false });
  const oneFile = { ...NO_FILTERS, filenames: ['report-7.md'] };
  const row = (what: string, percentiles: Percentiles, recall: number | null = null): SearchBenchRow => ({
    ...{ database: db.kind, leaves, what, ...percentiles, recall },
  });
  const { queries } = corpus;
  const few = queries.slice(0, WARM_UP + EMBEDDED_QUERIES);
  const rows = [
    row('semantic', await time(queries, search('semantic')), await measureRecall(db, corpus, calibration)),
    row('lexical', await time(queries, search('lexical'))),
    row('hybrid', await time(queries, search('hybrid'))),
    row('hybrid, 50 parents', await time(queries, search('hybrid', NO_FILTERS, 50))),
    row('hybrid, one file', await time(queries, search('hybrid', oneFile))),
    row(
      'hybrid, query embedded locally',
      await time(few, async (query) =>
        search('hybrid')({ ...query, vector: (await embedder.embed(query.text)) ?? query.vector }),
      ),
    ),
  ];
  const server = await startSearchServer(db, model);
  try {
    const byHttp = (query: BenchQuery) => server.search(corpus.scope.projectId, query.text, LIMIT);
    rows.push(row('POST /projects/{id}/search', await time(few, byHttp)));
  } finally {
    await server.close();
  }
  return rows;
}

/**
 * Measures document search in projects of 2,000 leaves and, if asked, of 10,000: query vector given, with the local
 * model, and by HTTP; on the embedded database and, where there is one, on a server.
 */
export async function runSearchBench({ large = false } = {}): Promise<SearchBenchRow[]> {
  const model = createLocalModel({ workers: 1 });
  const rows: SearchBenchRow[] = [];
  try {
    for (const target of benchTargets()) {
      for (const leaves of large ? [2_000, 10_000] : [2_000]) {
        const measured = await withBenchDatabase(target, async (db) =>
          benchProject(db, await buildCorpus(db, leaves), leaves, model),
        );
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
    const figures = `p50 ${p50.toFixed(1).padStart(6)} ms  p95 ${p95.toFixed(1).padStart(6)} ms`;
    const recalled = recall === null ? '' : `  recall@${RECALL_AT} ${recall.toFixed(3)}`;
    console.log(
      `${database.padEnd(10)}${String(leaves).padStart(7)} leaves  ${what.padEnd(32)} ${figures}${recalled}`,
    );
  }
}
