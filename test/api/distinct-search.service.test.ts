import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { prose } from '../helpers/copilot.ts';

// What a search shows where several files say the same, and where a question asks for more than one of them.

const AGREED = `The steering committee agreed on the quarterly budget for Lisbon. ${prose(80, 'lisbon')}`;
let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'copies', name: 'Copies' });
  const files = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`minutes-${index}.md`, `# Minutes\n\n${AGREED}\n`]),
  );
  await forge.upload('copies', {
    ...files,
    'plan.md': '# Plan\n\nThe budget for Porto is decided by the steering committee in May.\n',
  });
  await forge.uploadToLibrary({ 'archive.md': `# Minutes\n\n${AGREED}\n` });
  await forge.call('POST', '/projects', { id: 'broad', name: 'Broad' });
  const sections = (city: string, count: number) =>
    Array.from(
      { length: count },
      (_, at) => `# ${city} ${at}\n\nChurn in ${city} fell. ${prose(60, `${city}${at}`)}\n`,
    );
  await forge.upload('broad', {
    'lisbon.md': sections('Lisbon', 8).join('\n'),
    'porto.md': sections('Porto', 1).join('\n'),
    'faro.md': sections('Faro', 1).join('\n'),
  });
});
afterAll(() => forge.close());

const search = async (project: string, body: object) =>
  (await forge.call('POST', `/projects/${project}/search`, { min_score: 0.01, ...body })).body;
interface Found {
  filename: string;
  source: string;
  also_in: { filename: string; source: string; header_path: string[] }[];
  explain: { for_breadth: boolean };
}

it('counts what several files say once, names the others, and fills their places', async () => {
  const found = await search('copies', {
    query: 'Who decides on the budget of the steering committee?',
    limit: 2,
  });
  expect(found.data).toHaveLength(2);
  const [minutes, plan] = found.data.toSorted((a: Found, b: Found) => b.also_in.length - a.also_in.length);
  expect(minutes.filename).toMatch(/^minutes-/);
  expect(minutes.also_in).toHaveLength(5);
  expect(minutes.also_in[0]).toMatchObject({ source: 'project', version: 1, header_path: ['Minutes'] });
  expect(minutes.also_in.map(({ filename }: Found) => filename)).not.toContain(minutes.filename);
  expect(plan).toMatchObject({ filename: 'plan.md', also_in: [] });
  expect(found.has_more).toBe(false);
});

it('shows the copy of the project, and names that of the library', async () => {
  const query = 'Which quarterly budget for Lisbon did the steering committee agree on?';
  const found = await search('copies', { query, sources: ['library', 'project'], limit: 1 });
  expect(found.data[0].source).toBe('project');
  expect(found.data[0].also_in).toContainEqual(
    expect.objectContaining({ source: 'library', filename: 'archive.md' }),
  );
});

it('tells a model that calls a tool of the copies', async () => {
  const { body } = await forge.call('POST', '/projects/copies/tools/search_documents', {
    query: 'Which quarterly budget for Lisbon did the steering committee agree on?',
  });
  expect(body.passages.length).toBeLessThan(4);
  expect(body.content).toMatch(
    /Nearly the same text as in "minutes-\d\.md > Minutes" stands in "(minutes|archive)/,
  );
});

it('spreads what it shows over files where the question asks for more than one, and says so', async () => {
  const narrow = await search('broad', { query: 'churn in Lisbon', explain: true });
  expect(new Set(narrow.data.map(({ filename }: Found) => filename)).size).toBe(1);
  const broad = await search('broad', { query: 'Compare the churn of all cities', explain: true });
  const names = broad.data.map(({ filename }: Found) => filename);
  expect(new Set(names).size).toBe(3);
  expect(names.filter((name: string) => name === 'lisbon.md')).toHaveLength(2);
  const scores = broad.data.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
});
