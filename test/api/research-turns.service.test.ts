import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scripted } from '../fakes/anthropic-server.ts';
import { isAnswering, startKeyedApp } from '../helpers/keyed-app.ts';

// What runs of the agent and turns that it answers have in common, through the provider's wire format.

const answer: Scripted = { text: 'I see.' };
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  app = await startKeyedApp(() => answer);
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
