import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const REPORT = `# Campaign report

## Churn

Enterprise customers churn at 4.1 percent a quarter because onboarding takes eleven weeks. ${'Procurement adds three more. '.repeat(20)}

## Channels

Partner webinars cost 190,000 EUR and brought 41 opportunities. ${'Field events did not pay. '.repeat(20)}

## Owners

Ines Duarte owns ticket CRM-1187, the redirect defect of the landing pages. ${'Nobody owns the rest. '.repeat(25)}
`;
const NOTES = '# Notes\n\nThe board papers are due on Tuesday. Leila wants a dashboard.\n';
const OFF_TOPIC = 'Explain the confinement of quarks in quantum chromodynamics.';
const ON_TOPIC = 'Why do enterprise customers churn?';

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'report.md': REPORT, 'notes.md': NOTES });
});
afterAll(() => forge.close());

const search = async (query: string, options: object = {}) =>
  (await forge.call('POST', '/projects/p/search', { query, ...options })).body;
const scores = ({ data }: { data: { score: number }[] }) => data.map(({ score }) => score);

describe('a search', () => {
  it.each(['hybrid', 'semantic'] as const)(
    'gives nothing that does not bear on the query (%s)',
    async (mode) => {
      const body = await search(OFF_TOPIC, { mode, limit: 2 });
      expect(body).toMatchObject({
        data: [],
        has_more: false,
        below_floor: 2,
        likeliest_file: expect.any(String),
      });
      expect(body.considered).toBeGreaterThanOrEqual(2);
    },
  );

  it('says what was searched where no word of the query is anywhere', async () => {
    expect(await search('xylophone', { mode: 'lexical' })).toMatchObject({
      data: [],
      has_more: false,
      below_floor: 0,
      likeliest_file: null,
      considered: expect.any(Number),
    });
    const { considered } = await search(ON_TOPIC);
    expect((await search('xylophone', { mode: 'lexical' })).considered).toBe(considered);
    expect((await search(ON_TOPIC, { filters: { filenames: ['notes.md'] } })).considered).toBeLessThan(
      considered,
    );
    const under = { header_path: ['Campaign report', 'Churn'] };
    expect((await search(ON_TOPIC, { filters: under })).considered).toBe(1);
  });

  it('gives the best there is, from the floor that it is told', async () => {
    const all = await search(OFF_TOPIC, { min_score: 0, limit: 2 });
    expect(all).toMatchObject({ min_score: 0, below_floor: 0 });
    expect(all.data).toHaveLength(2);
    expect(Math.max(...scores(all))).toBeLessThan((await search(OFF_TOPIC)).min_score);
    expect(await search(ON_TOPIC, { min_score: 1 })).toMatchObject({ data: [], min_score: 1 });
  });

  it.each(['hybrid', 'semantic', 'lexical'] as const)('answers what the files say (%s)', async (mode) => {
    for (const [query, words] of [
      [ON_TOPIC, 'eleven weeks'],
      ['Who owns ticket CRM-1187?', 'Ines Duarte'],
    ] as const) {
      const body = await search(query, { mode });
      // the fake encoder's own order says little
      expect(body.data.map(({ text }: { text: string }) => text).join()).toContain(words);
      expect(body.data[0].score).toBeGreaterThanOrEqual(body.min_score);
      expect(body.data[0].matched_leaves[0].score).toBe(body.data[0].score);
      expect(body.likeliest_file).toBe('report.md');
    }
  });

  it('gives scores that never rise, and fall with each name that the files do not have', async () => {
    const found = scores(await search(ON_TOPIC, { min_score: 0, limit: 10 }));
    expect(found).toEqual(found.toSorted((a, b) => b - a));
    const [known] = scores(await search('Who owns ticket CRM-1187?', { min_score: 0 }));
    const [unknown] = scores(await search('Who owns ticket ANL-3317?', { min_score: 0 }));
    expect(unknown).toBeLessThan(known ?? 0);
  });

  it('refuses a floor that is no confidence', async () => {
    const { status, body } = await forge.call('POST', '/projects/p/search', { query: 'x', min_score: 1.5 });
    expect(status).toBe(400);
    expect(body.errors[0].pointer).toBe('/min_score');
  });
});

describe('a turn', () => {
  const receiptOf = async (message: string, options: object = {}) => {
    const { body } = await forge.call('POST', '/projects/p/turns', {
      message,
      retrieval: 'always',
      ...options,
    });
    expect(body.status).toBe('completed');
    return (await forge.call('GET', `/projects/p/turns/${body.turn_number}/context`)).body;
  };
  const sections = ({ sections: sent }: { sections: { name: string }[] }) => sent.map(({ name }) => name);

  it('sends no document that does not bear on the message, and its receipt says so', async () => {
    const receipt = await receiptOf(OFF_TOPIC);
    const documents = receipt.sections.find(({ name }: { name: string }) => name === 'retrieved_documents');
    expect(documents.items).toEqual([]);
    expect(documents.text).toContain('Shown: 0 of the 4 sections searched.');
    expect(documents.text).toContain(`the file likeliest to: ${receipt.retrieval.likeliest_file}`);
    expect(receipt.retrieval).toMatchObject({
      documents: 'hybrid',
      considered: 4,
      below_floor: 4,
      likeliest_file: expect.any(String),
    });
  });

  it('sends the best there is when it is told to', async () => {
    const receipt = await receiptOf(OFF_TOPIC, { min_score: 0 });
    expect(sections(receipt)).toContain('retrieved_documents');
    expect(receipt.retrieval).toMatchObject({ min_score: 0, below_floor: 0 });
  });

  it('sends what answers the message', async () => {
    const receipt = await receiptOf(ON_TOPIC);
    const documents = receipt.sections.find(({ name }: { name: string }) => name === 'retrieved_documents');
    expect(documents.text).toContain('eleven weeks');
    expect(receipt.retrieval.considered).toBeGreaterThan(documents.items.length);
  });

  it('looks nothing up, and says nothing of it, when it is told so', async () => {
    const receipt = await receiptOf(ON_TOPIC, { retrieval: 'never' });
    expect(receipt.retrieval).toMatchObject({ min_score: null, considered: 0, below_floor: 0 });
  });

  it('tells in a dry run what it would leave out', async () => {
    const { body } = await forge.call('POST', '/projects/p/turns', {
      ...{ message: OFF_TOPIC, retrieval: 'always', dry_run: true },
    });
    expect(body.retrieval).toMatchObject({ considered: 4, below_floor: 4 });
  });
});
