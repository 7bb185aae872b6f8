import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scripted } from '../fakes/anthropic-server.ts';
import { isAnswering, startKeyedApp } from '../helpers/keyed-app.ts';

// What runs of the agent and turns that it answers have in common, through the provider's wire format.

const SAY: Scripted = { text: 'I see.' };
let answer: (index: number) => Scripted = () => SAY;
let calls = 0;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  app = await startKeyedApp(() => answer(calls++));
  await app.forge.upload('p', { 'one_memo.md': '# One\n\nA.\n', 'other_memo.md': '# Other\n\nB.\n' });
});
afterAll(() => app.close());

const research = (question: string, options: object = {}) =>
  app.forge.call('POST', '/projects/p/research', { question, ...options });

it('learns how the provider counts tokens, for turns too', async () => {
  const factor = async (): Promise<number> => (await app.say('Hello', { dry_run: true })).body.token_factor;
  const before = await factor();
  await research('Is it so?');
  const after = await factor();
  expect(after).not.toBe(before);
  await app.say('Is it so, or not?', { research: true });
  expect(await factor()).not.toBe(after);
});

it.each([
  ['the project by itself', {}, ['search_in_document'], ['search_knowledge_base']],
  ['the library alone', { sources: ['library'] }, ['search_knowledge_base'], ['list_project_files']],
  ['both', { sources: ['project', 'library'] }, ['list_project_files', 'search_knowledge_base'], []],
])('looks in a turn where its sources allow: %s', async (_, options, offered, withheld) => {
  const { body: turn } = await app.say('Who decides on the launch?', { research: true, ...options });
  expect(turn.status).toBe('completed');
  const names = app.anthropic.requests.findLast(isAnswering)?.tools?.map(({ name }) => name) ?? [];
  for (const name of offered) expect(names).toContain(name);
  for (const name of withheld) expect(names).not.toContain(name);
});

it('asks for no file of the project where only the library is looked in', async () => {
  const sources = ['library'];
  const { body: turn } = await app.say('What does my memo say?', { research: true, sources });
  expect(turn.response).toBe('I see.');
  expect((await research('What does my memo say?', { sources })).body.status).toBe('completed');
});

it('does not summarise a document that costs more than may be spent', async () => {
  const part = (_: unknown, index: number): string =>
    `## Part ${index}\n\n${'Words fill it up. '.repeat(400)}`;
  await app.forge.upload('p', { 'long.md': `# Long\n\n${Array.from({ length: 300 }, part).join('\n\n')}\n` });
  const from = calls;
  answer = (index) =>
    index === from ? { toolCalls: [{ name: 'summarize_document', input: { filename: 'long.md' } }] } : SAY;
  const { body: run } = await research('What is long.md about?', { limits: { max_cost_usd: 0.15 } });
  expect(run.steps).toMatchObject([{ tool: 'summarize_document', is_error: true }]);
  expect(run.steps[0].output).toContain('search_in_document');
  expect(run.usage.by_phase.document_summary).toBeUndefined();
  expect(run.usage.cost_usd).toBeLessThanOrEqual(0.15);
});
