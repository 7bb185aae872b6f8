import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { writeLeafPostings, writeTurnPostings } from '../../src/db/postings.ts';
import type { Scope } from '../../src/scope.ts';
import { buildPostings, LEXICAL_BUILD } from '../../src/text/postings.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { storeProject } from '../helpers/rows/project.ts';
import { storeTurn } from '../helpers/rows/turn.ts';
import { sectionedDocument } from '../helpers/sectioned-document.ts';
import { storeDocument } from '../helpers/stored-document.ts';

const leaf = (leafIndex: number, text: string, breadcrumb = '') => ({ leafIndex, text, breadcrumb });

describe('buildPostings', () => {
  it('lists for each term the leaves that have it', () => {
    const { terms, leafCounts, totalLength } = buildPostings([
      leaf(1, 'budget budget'),
      leaf(0, 'budget team'),
      leaf(2, 'risk'),
    ]);
    expect(terms).toEqual(['budget', 'risk', 'team']);
    expect(leafCounts).toEqual([2, 1, 1]);
    expect(totalLength).toBe(5);
  });

  it('packs leaf, frequency and length, by rising leaf', () => {
    const { packed } = buildPostings([leaf(3, 'budget budget risk'), leaf(1, 'budget')]);
    expect(packed[0]).toBe('010101' + '020203');
  });

  it('indexes the context header, twice as heavy as the text', () => {
    const { terms, packed, totalLength } = buildPostings([leaf(0, 'late', '[Source: plan.md > Risks]')]);
    expect(terms).toContain('risk');
    expect(terms).not.toContain('sourc');
    expect(packed[terms.indexOf('risk')]?.slice(2, 4)).toBe('02');
    expect(packed[terms.indexOf('late')]?.slice(2, 4)).toBe('01');
    expect(totalLength).toBeGreaterThan(3);
  });

  it('has nothing for a file without leaves', () => {
    expect(buildPostings([])).toEqual({
      terms: [],
      leafCounts: [],
      packed: [],
      totalLength: 0,
      language: null,
    });
  });

  it('takes any word as a term', () => {
    expect(buildPostings([leaf(0, 'constructor __proto__ toString')]).terms).toEqual(
      expect.arrayContaining(['constructor', 'proto']),
    );
  });
});

describe('the lexical index', () => {
  let db: Database;
  let scope: Scope;

  beforeAll(async () => {
    db = await openTestDatabase();
    scope = await storeProject(db, 'campaign');
    for (const name of ['a.md', 'b.md']) {
      const document = sectionedDocument(name, [{ path: [], leaves: ['old words'] }]);
      await storeDocument(db, scope, document, () => undefined);
    }
    await storeTurn(db, scope);
  });

  afterAll(async () => {
    await db.close();
  });

  const termsOf = async (fileId: string) =>
    (
      await db.query<{ term: string }>('select term from leaf_postings where file_id = $1 order by term', [
        fileId,
      ])
    ).rows.map(({ term }) => term);

  it('replaces what it had of a file, and of no other', async () => {
    await writeLeafPostings(db, scope, 'a.md', buildPostings([leaf(0, 'new text')]));
    expect(await termsOf('a.md')).toEqual(['new', 'text']);
    expect(await termsOf('b.md')).toContain('old');
  });

  it('replaces what it had of a turn, and records the length and the build', async () => {
    await writeTurnPostings(db, scope, 1, 'first words of it');
    await writeTurnPostings(db, scope, 1, 'risk risk team');
    const turns = await db.query('select lexical_length, lexical_build from turns');
    expect(turns.rows).toEqual([{ lexical_length: 3, lexical_build: LEXICAL_BUILD }]);
    const { rows } = await db.query('select term, frequency from turn_postings order by term');
    expect(rows).toEqual([
      { term: 'risk', frequency: 2 },
      { term: 'team', frequency: 1 },
    ]);
  });
});
