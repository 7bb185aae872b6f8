import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDocuments, makeTopics, seededRandom } from '../../bench/search-corpus.ts';
import type { Database } from '../../src/db/database.ts';
import { rankByWords } from '../../src/retrieval/lexical.ts';
import { retrievalTuningSchema } from '../../src/retrieval/tuning.ts';
import type { Scope } from '../../src/scope.ts';
import { keepSegments } from '../../src/services/segments.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const LEAVES = 600;
const QUESTIONS = 6;
const NO_FILTERS = { filenames: [], headerPath: [], mediaTypes: [] };

/** As if the project were large, with budgets that leave most postings unread at first. */
const large = {
  fromLeaves: 1,
  rarePostings: 60,
  segmentPostings: 60,
  segmentShare: 0,
  likelyLeaves: 40,
  likelyWithoutSegments: 40,
};
const { lexical: inTwoSteps } = retrievalTuningSchema.parse({ lexical: { large } });

let db: Database;
let scope: Scope;
let questions: string[];

beforeAll(async () => {
  db = await openTestDatabase();
  scope = await storeProject(db, 'p');
  const topics = makeTopics(seededRandom(7));
  for (const { document } of makeDocuments(LEAVES, topics)) {
    await db.transaction((tx) => storeDocument(tx, scope, document, () => Float32Array.of(1, 0)));
  }
  questions = Array.from({ length: QUESTIONS }, () => topics.textOn(topics.pick().words.slice(0, 5), 12));
});
afterAll(() => db.close());

const POLICY = { fromLeaves: 1, leastLeaves: 100, leastFiles: 1_000, mostLeaves: 200, mostSmall: 4 };

const countSegments = async () =>
  (await db.query('select 1 from posting_segments where project_id = $1', [scope.projectId])).rowCount;

describe.each([
  ['without segments', 0, async () => undefined],
  ['with a segment of some of its files', 1, () => keepSegments(db, scope, POLICY)],
  ['all in segments', 3, () => keepSegments(db, scope, POLICY)],
])('a large project %s', (_state, segments, prepare) => {
  beforeAll(async () => {
    while ((await countSegments()) < segments) await prepare();
    expect(await countSegments()).toBe(segments);
  });

  it.each([
    ['all files', NO_FILTERS],
    ['some files, as if they were many', { ...NO_FILTERS, filenames: ['report-3.md', 'report-7.md'] }],
    ['one file', { ...NO_FILTERS, filenames: ['report-3.md'] }],
    ['a type that no file has', { ...NO_FILTERS, mediaTypes: ['application/pdf'] }],
  ])('is ranked in two steps as in one: %s', async (_what, filters) => {
    for (const text of questions) {
      const query = { text, limit: 10, filters };
      const atOnce = await rankByWords(db, scope, query);
      const ranked = await rankByWords(db, scope, query, inTwoSteps);
      expect(ranked.hits.slice(0, 5)).toEqual(
        atOnce.hits.slice(0, 5).map((hit) => ({ ...hit, score: expect.closeTo(hit.score, 8) })),
      );
      expect(ranked).toMatchObject({
        ceiling: expect.closeTo(atOnce.ceiling, 8),
        counts: atOnce.counts,
        sections: atOnce.sections,
      });
    }
  });

  it('has nothing for words that it does not have', async () => {
    const query = { text: 'zzyzx', limit: 10, filters: NO_FILTERS };
    const { hits, counts, more } = await rankByWords(db, scope, query, inTwoSteps);
    expect({ hits, having: counts.having.size, texts: counts.texts, more }).toEqual({
      ...{ hits: [], having: 0, texts: LEAVES, more: false },
    });
  });

  it('has the passages under a heading alone', async () => {
    const { rows } = await db.query<{ header_path: string[] }>(
      "select header_path from document_leaves where file_id = 'report-3.md' and leaf_index = 20",
    );
    const filters = { ...NO_FILTERS, headerPath: rows[0]?.header_path ?? [] };
    for (const text of questions) {
      const query = { text, limit: 5, filters };
      const atOnce = await rankByWords(db, scope, query);
      const ranked = await rankByWords(db, scope, query, inTwoSteps);
      expect(ranked.hits.map(({ fileId, leafIndex }) => [fileId, leafIndex])).toEqual(
        atOnce.hits.map(({ fileId, leafIndex }) => [fileId, leafIndex]),
      );
      expect(ranked.sections).toBe(atOnce.sections);
    }
  });
});
