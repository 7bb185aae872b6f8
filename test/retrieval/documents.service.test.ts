import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { type DocumentQuery, searchDocuments } from '../../src/retrieval/documents.ts';
import type { DocumentFilters } from '../../src/retrieval/passage.ts';
import type { Scope } from '../../src/scope.ts';
import { fakeEmbeddingModel } from '../fakes/embedding-model.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { sectionedDocument, type TestSection } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const model = fakeEmbeddingModel();
const NO_FILTERS: DocumentFilters = { filenames: [], headerPath: [], mediaTypes: [] };

let db: Database;
let scope: Scope;
let other: Scope;

async function store(
  into: Scope,
  filename: string,
  sections: TestSection[],
  mediaType?: string,
): Promise<void> {
  const document = sectionedDocument(filename, sections);
  await storeDocument(db, into, { ...document, ...(mediaType && { mediaType }) }, (leaf) =>
    model.vectorOf(leaf.text),
  );
}

const find = (text: string, query: Partial<DocumentQuery> = {}, where = scope) =>
  searchDocuments(db, where, {
    ...{ text, vector: model.vectorOf(text), calibration: model.calibration },
    ...{ limit: 4, mode: 'hybrid', filters: NO_FILTERS, explain: false },
    ...query,
  });

const namesOf = ({ hits: passages }: Awaited<ReturnType<typeof find>>) =>
  passages.map(({ parent_id }) => parent_id);

beforeAll(async () => {
  db = await openTestDatabase();
  scope = await storeProject(db, 'campaign');
  other = await storeProject(db, 'other');
  await store(scope, 'findings.md', [
    {
      path: ['Findings', 'Enterprise'],
      leaves: ['Enterprise customers renew late.', 'Enterprise buyers compare vendors.'],
    },
    {
      path: ['Findings', 'Consumer'],
      leaves: ['Consumers leave after the trial.', 'Ticket PROJ-1234 tells why.'],
    },
    { path: ['Appendix'], leaves: ['The survey had 412 answers.'] },
  ]);
  await store(
    scope,
    'plan.docx',
    [
      { path: ['Budget'], leaves: ['The NPS target is 40.', 'Spending is frozen until March.'] },
      { path: ['Risks'], leaves: ['Renewals may slip when vendors merge.'] },
    ],
    'application/docx',
  );
  // many near duplicates, so that a filter for another file would starve if it were applied after the cut
  await store(
    scope,
    'minutes.md',
    Array.from({ length: 150 }, (_, index) => ({
      path: [`Week ${index}`],
      leaves: [`Weekly minutes number ${index}: renewals, vendors and budget were discussed.`],
    })),
  );
  await store(other, 'secret.md', [{ path: ['Secret'], leaves: ['Ticket PROJ-1234 of the other project.'] }]);
});

afterAll(async () => {
  await db.close();
});

describe('searchDocuments', () => {
  it('finds exact words where vectors say nothing', async () => {
    const [best] = (await find('PROJ-1234', { vector: model.vectorOf('something else altogether') })).hits;
    expect(best).toMatchObject({
      filename: 'findings.md',
      version: 1,
      media_type: 'text/markdown',
      header_path: ['Findings', 'Consumer'],
      context_header: '[Source: findings.md > Findings > Consumer]',
    });
    expect(best?.matched_leaves[0]?.text).toBe('Ticket PROJ-1234 tells why.');
  });

  it('finds acronyms in any case, and other forms of a word', async () => {
    expect((await find('nps', { mode: 'lexical' })).hits[0]?.text).toContain('NPS target');
    expect((await find('renewing enterprises', { mode: 'lexical' })).hits[0]?.text).toContain('renew late');
  });

  it('gives each parent once, ranked by its best leaf, with its leaves best first', async () => {
    const { hits: passages } = await find('enterprise customers and buyers', { mode: 'lexical' });
    expect(new Set(passages.map(({ parent_id }) => parent_id)).size).toBe(passages.length);
    const [best] = passages;
    expect(best?.header_path).toEqual(['Findings', 'Enterprise']);
    expect(best?.matched_leaves).toHaveLength(2);
    expect(best?.matched_leaves[0]?.rank_score).toBe(best?.rank_score);
    for (const { rank_score } of passages) expect(rank_score).toBeGreaterThan(0);
    expect(passages.map(({ rank_score }) => rank_score)).toEqual(
      passages.map(({ rank_score }) => rank_score).toSorted((a, b) => b - a),
    );
  });

  it('gives leaf ranges that point into the parent', async () => {
    for (const { text, char_start, matched_leaves } of (await find('vendors')).hits) {
      for (const leaf of matched_leaves) {
        expect(text.slice(leaf.char_start - char_start, leaf.char_end - char_start)).toBe(leaf.text);
      }
    }
  });

  it.each(['hybrid', 'semantic', 'lexical'] as const)('applies filters before the cut (%s)', async (mode) => {
    const text = 'renewals vendors budget';
    const names = async (filters: Partial<DocumentFilters>) =>
      (await find(text, { mode, limit: 2, filters: { ...NO_FILTERS, ...filters } })).hits.map(
        ({ filename }) => filename,
      );
    expect(await names({ filenames: ['plan.docx'] })).toEqual(['plan.docx', 'plan.docx']);
    expect(await names({ mediaTypes: ['application/docx'] })).toEqual(['plan.docx', 'plan.docx']);
    expect(await names({ headerPath: ['Risks'] })).toEqual(['plan.docx']);
    expect(await names({ filenames: ['minutes.md'], headerPath: ['Risks'] })).toEqual([]);
    expect(await names({ filenames: ['not there.md'] })).toEqual([]);
  });

  it('takes a header path as a prefix of whole headings', async () => {
    const paths = async (headerPath: string[]) => {
      const filters = { ...NO_FILTERS, headerPath };
      const { hits: passages } = await find('customers consumers', { limit: 10, filters });
      return passages.map((passage) => passage.header_path.join('/')).sort();
    };
    expect(await paths(['Findings'])).toEqual(['Findings/Consumer', 'Findings/Enterprise']);
    expect(await paths(['Findings', 'Consumer'])).toEqual(['Findings/Consumer']);
    expect(await paths(['Find'])).toEqual([]);
  });

  it.each(['hybrid', 'semantic'] as const)('never gives fewer parents than there are (%s)', async (mode) => {
    expect((await find('renewals', { mode, limit: 155 })).hits).toHaveLength(155);
    expect((await find('renewals', { mode, limit: 500 })).hits).toHaveLength(155);
  });

  it('ranks more leaves when few parents hold all the best', async () => {
    const crowded = await storeProject(db, 'crowded');
    await store(crowded, 'crowded.md', [
      { path: ['Crowd'], leaves: Array.from({ length: 300 }, (_, index) => `Latency latency ${index}.`) },
      { path: ['One'], leaves: ['Latency, and other things that are not asked for.'] },
      { path: ['Two'], leaves: ['Also latency, after many words about other things that nobody asked for.'] },
    ]);
    for (const mode of ['hybrid', 'semantic', 'lexical'] as const) {
      expect((await find('latency', { mode, limit: 3 }, crowded)).hits).toHaveLength(3);
    }
  });

  it('never shows another project', async () => {
    for (const mode of ['hybrid', 'semantic', 'lexical'] as const) {
      const { hits: passages } = await find('Ticket PROJ-1234 of the other project', { mode, limit: 500 });
      expect(passages.map(({ filename }) => filename)).not.toContain('secret.md');
      const theirs = await find('Ticket PROJ-1234', { mode, limit: 500 }, other);
      expect(theirs.hits.map(({ filename }) => filename)).toEqual(['secret.md']);
    }
  });

  it('falls back to words without a vector, and says so', async () => {
    for (const mode of ['hybrid', 'semantic'] as const) {
      const { hits: passages, strategy } = await find('NPS', { mode, vector: null });
      expect(strategy).toBe('lexical_fallback');
      expect(passages[0]?.text).toContain('NPS');
    }
    expect((await find('NPS', { mode: 'lexical', vector: null })).strategy).toBe('lexical');
    expect((await find('NPS')).strategy).toBe('hybrid');
  });

  it('explains where each leaf stood and which one promoted its parent', async () => {
    const text = 'Spending is frozen until March.';
    const { hits: passages } = await find(text, { explain: true });
    const [best] = passages;
    const leafId = best?.matched_leaves[0]?.leaf_id;
    expect(best?.explain?.promoted_by).toBe(leafId);
    const leaf = best?.explain?.leaves.find((entry) => entry.leaf_id === leafId);
    expect(leaf).toMatchObject({ dense_rank: 1, lexical_rank: 1, fused_score: 1 });
    expect(leaf?.dense_score).toBeCloseTo(1);
    expect(leaf?.lexical_score).toBeGreaterThan(0);

    const semantic = await find(text, { mode: 'semantic', explain: true });
    expect(semantic.hits[0]?.explain?.leaves[0]).toMatchObject({
      dense_rank: 1,
      lexical_rank: null,
      lexical_score: null,
    });
    expect((await find(text)).hits[0]?.explain).toBeNull();
  });

  it('answers the same question in the same way', async () => {
    const text = 'weekly minutes about renewals';
    expect(namesOf(await find(text, { limit: 50 }))).toEqual(namesOf(await find(text, { limit: 50 })));
  });

  it('finds nothing by words that are nowhere', async () => {
    expect((await find('xylophone', { mode: 'lexical' })).hits).toEqual([]);
    expect((await find('???', { mode: 'lexical' })).hits).toEqual([]);
  });

  it('finds nothing in an empty project', async () => {
    const empty = await storeProject(db, 'empty');
    expect((await find('anything', {}, empty)).hits).toEqual([]);
  });

  it('no longer finds a file that was deleted', async () => {
    const brief = await storeProject(db, 'brief');
    await store(brief, 'gone.md', [{ path: ['Gone'], leaves: ['A zeppelin.'] }]);
    expect((await find('zeppelin', {}, brief)).hits).toHaveLength(1);
    await db.query(`delete from files where project_id = 'brief'`);
    expect((await find('zeppelin', {}, brief)).hits).toEqual([]);
  });
});

describe('where vectors are missing still', () => {
  const sections = [
    { path: ['Quay'], leaves: ['The dredger Halcyon is moored at the north quay.'] },
    { path: ['Pilots'], leaves: ['Two pilots share the launch of the harbour.'] },
  ];
  let place: Scope;
  const pend = (leaves: number) =>
    db.query('update files set vectors_pending = $2 where project_id = $1', [place.projectId, leaves]);

  beforeAll(async () => {
    place = await storeProject(db, 'pending');
    const document = sectionedDocument('harbour.md', sections);
    await storeDocument(db, place, document, (leaf) =>
      leaf.text.includes('Halcyon') ? undefined : model.vectorOf(leaf.text),
    );
  });

  it('a passage is judged by its words alone, as where there is no vector of the query', async () => {
    const query = 'Where is the dredger Halcyon?';
    const asWhole = (await find(query, {}, place)).hits[0];
    await pend(1);
    const partly = await find(query, {}, place);
    const byWords = await find(query, { vector: null }, place);
    expect(partly).toMatchObject({ strategy: 'hybrid', vectorsPending: 1 });
    expect(partly.hits[0]?.text).toContain('Halcyon');
    expect(partly.hits[0]?.evidence.standing).toBeNull();
    expect(partly.hits[0]?.score).toBe(byWords.hits[0]?.score);
    // with a vector that is too far off it would be taken for something ordinary
    expect(asWhole?.evidence.standing).toBe(0);
    // what was compared is judged by that
    const pilots = partly.hits.find(({ text }) => text.includes('pilots'));
    expect(pilots?.evidence.standing).not.toBeNull();
  });

  it('words alone answer, in any mode, while nothing can be compared', async () => {
    await db.query('delete from leaf_vectors where project_id = $1', [place.projectId]);
    await pend(2);
    for (const mode of ['hybrid', 'semantic'] as const) {
      const found = await find('dredger Halcyon', { mode }, place);
      expect(found).toMatchObject({ strategy: 'lexical_fallback', vectorsPending: 2 });
      expect(found.hits[0]?.text).toContain('Halcyon');
    }
    expect(await find('dredger Halcyon', { mode: 'lexical' }, place)).toMatchObject({ strategy: 'lexical' });
  });

  it('files that the filter leaves out are not counted', async () => {
    await pend(2);
    const filters = { ...NO_FILTERS, filenames: ['elsewhere.md'] };
    expect(await find('dredger', { filters }, place)).toMatchObject({ vectorsPending: 0, hits: [] });
  });
});
