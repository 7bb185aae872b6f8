import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '../helpers/app.ts';

const PLAN = `# Plan

## Kick-off

The pilot begins on 3 March 2025 with two sites, and 2,400 records are moved by hand before that day.

## Alerts

The error budget is spent when the service fails for an hour. The parameter \`max_retries\` of \`orderSync\` is set to zero, and
\`utf8Decode\` must not be called with \`--no-verify\`.

## Reviews

A budget without an error is rare. The maintenance of the warehouse is reviewed by the steering committee.
`;

let forge: Awaited<ReturnType<typeof startTestApp>>;
beforeAll(async () => {
  forge = await startTestApp({ settings: { EMBEDDING_PROVIDER: 'off' }, ownEmbeddings: true });
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  const others = Array.from({ length: 6 }, (_, n) => [
    `note-${n}.md`,
    `# Note ${n}\n\nThe team has talked about colours, meals and the weather of week ${n}, and about nothing else of note.\n`,
  ]);
  await forge.upload('p', { 'plan.md': PLAN, ...Object.fromEntries(others) });
  await forge.settle();
});
afterAll(() => forge.close());

const search = async (query: string) =>
  (await forge.call('POST', '/projects/p/search', { query, kinds: ['documents'], min_score: 0 })).body;
const found = async (query: string): Promise<string | undefined> => (await search(query)).data[0]?.filename;

describe('words in their spellings', () => {
  it.each([
    'What happens on 03.03.2025?',
    '2025-03-03',
    'March 3rd, 2025',
    '2400 records',
    '2 400 records',
    'maxRetries',
    'order_sync',
    'ordersync',
    'utf-8 decode',
    'UTF8DECODE',
    'noverify',
  ])('finds %s', async (query) => {
    expect(await found(query)).toBe('plan.md');
  });

  it('takes a word that nothing has for the one that is nearly the same, and says so', async () => {
    const { data, reading } = await search('Who reviews the maintanence?');
    expect(data[0].filename).toBe('plan.md');
    expect(reading.taken_for).toEqual([{ word: 'maintanence', taken_for: 'maintenance' }]);
    const two = await search('warehosue comittee');
    expect(two.reading.taken_for.map((pair: { taken_for: string }) => pair.taken_for)).toEqual([
      'warehouse',
      'committee',
    ]);
  });

  it('takes nothing for another word that is there, is common, or is a name with figures', async () => {
    for (const query of ['weather', 'errors', 'contract', 'PROJ-2400x']) {
      expect((await search(query)).reading).toEqual({ phrases: [], taken_for: [] });
    }
  });

  it('puts first what has a quoted phrase word by word', async () => {
    const { data, reading } = await search('"error budget"');
    expect(data[0].matched_leaves.length).toBeGreaterThan(0);
    expect(data[0].text).toContain('error budget');
    expect(reading.phrases).toEqual([{ text: 'error budget', is_found: true }]);
  });

  it('goes on by the words where nothing has the phrase, and says so', async () => {
    const { data, reading } = await search('“budget committee”');
    expect(data[0].filename).toBe('plan.md');
    expect(reading.phrases).toEqual([{ text: 'budget committee', is_found: false }]);
  });
});
