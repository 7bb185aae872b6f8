import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

const FILLING = 'Support answers within a day. '.repeat(30);
const REPORT = `# Findings

## Enterprise

Enterprise customers churn at 4.1 percent because onboarding takes eleven weeks.

${FILLING}

## Self-serve

Self-serve customers leave when the invoice import FIN-2291 fails.

${FILLING}
`;

let forge: TestApp;
beforeAll(async () => {
  forge = await startTestApp();
});
afterAll(() => forge.close());

const verify = (project: string, citations: unknown[]) =>
  forge.call('POST', `/projects/${project}/citations:verify`, { citations });

const quoteOf = (quote: string, text = REPORT) => ({
  filename: 'report.md',
  version: 1,
  quote,
  char_start: text.indexOf(quote),
  char_end: text.indexOf(quote) + quote.length,
  header_path: ['Findings', 'Enterprise'],
});

it('takes the citations of a turn as they are, and says what became of them', async () => {
  await forge.call('POST', '/projects', { id: 'p', name: 'P' });
  await forge.upload('p', { 'report.md': REPORT });
  const { citations } = (
    await forge.call('POST', '/projects/p/turns', { message: 'Why do enterprise customers churn?' })
  ).body;
  expect(citations.length).toBeGreaterThan(0);
  const fresh = (await verify('p', citations)).body;
  expect(fresh.data.map((check: { status: string }) => check.status)).toEqual(citations.map(() => 'valid'));

  const quotes = [
    quoteOf('Enterprise customers churn at 4.1 percent because onboarding takes eleven weeks.'),
    quoteOf('Self-serve customers leave when the invoice import FIN-2291 fails.'),
    { ...quoteOf('# Findings'), filename: 'other.md' },
  ];
  const changed = REPORT.replace('4.1 percent', '6.5 percent and more');
  await forge.upload('p', { 'report.md': changed });
  const { status, body } = await verify('p', quotes);
  expect(status).toBe(200);
  const [lost, moved, gone] = body.data;
  expect(lost).toMatchObject({
    status: 'changed',
    version: 2,
    char_start: null,
    section: { header_path: ['Findings', 'Enterprise'] },
  });
  expect(moved).toMatchObject({ status: 'moved', version: 2, matches: 1 });
  expect(changed.slice(moved.char_start, moved.char_end)).toBe(quotes[1]?.quote);
  expect(moved.section).toMatchObject({ header_path: ['Findings', 'Self-serve'] });
  expect(gone).toMatchObject({ filename: 'other.md', status: 'gone', version: null, section: null });

  await forge.call('DELETE', '/projects/p/files/report.md');
  const after = (await verify('p', quotes)).body.data;
  expect(after.map((check: { status: string }) => check.status)).toEqual(['gone', 'gone', 'gone']);
});

it.each([
  [{}, '/citations'],
  [{ citations: [] }, '/citations'],
  [{ citations: [{ filename: 'a.md', char_start: -1, quote: 'x' }] }, '/citations/0/char_start'],
  [{ citations: [{ filename: 'a.md', char_start: 0, quote: '' }] }, '/citations/0/quote'],
])('refuses %j', async (payload, pointer) => {
  const { status, body } = await forge.call('POST', '/projects/none/citations:verify', payload);
  expect([status, body.errors[0].pointer]).toEqual([400, pointer]);
});

it('knows no other project', async () => {
  expect((await verify('none', [quoteOf('# Findings')])).status).toBe(404);
});
