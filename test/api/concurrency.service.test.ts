import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { fakeLanguageModel, routeReply } from '../fakes/language-model.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { openTestDatabase } from '../helpers/database.ts';
import { gate } from '../helpers/gate.ts';
import { createTenants } from '../helpers/tenants.ts';

const PROJECTS = ['a', 'b', 'c', 'd', 'e', 'f'];
const SETTINGS = { MAX_CONCURRENT_TURNS: '2', MAX_CONCURRENT_RESEARCH: '1' };

let opened: Database;
let instances: [TestApp, TestApp];
let tenants: Awaited<ReturnType<typeof createTenants>>;
let acme: object;
let held = gate();

beforeAll(async () => {
  opened = await openTestDatabase();
  const overrides = {
    db: { ...opened, close: async () => undefined },
    smallModel: fakeLanguageModel(() => ({ text: routeReply() })),
    answerModel: fakeLanguageModel(async () => {
      await held.opened;
      return { text: 'Dana decides.' };
    }),
  };
  instances = [
    await startTestApp({ settings: SETTINGS, overrides }),
    await startTestApp({ settings: SETTINGS, overrides }),
  ];
  tenants = await createTenants(instances[0], ['acme', 'other']);
  acme = tenants.of('acme');
  for (const id of PROJECTS) await instances[0].call('POST', '/projects', { id, name: id }, acme);
  await instances[0].call('POST', '/projects', { id: 'o', name: 'O' }, tenants.of('other'));
});
afterAll(async () => {
  held.open();
  for (const instance of instances) await instance.close();
  await opened.close();
});

const instanceOf = (place: number): TestApp => instances[place % 2 === 0 ? 0 : 1];
const usage = async () => (await instances[0].call('GET', '/usage', undefined, acme)).body;
/** As it is answered when it has ended, or was refused. */
const ask = (project: string, place = 0, headers: object = acme) =>
  instanceOf(place).call('POST', `/projects/${project}/turns`, { message: 'Who decides?' }, headers);
const askResearch = (project: string, place = 0) =>
  instanceOf(place).call('POST', `/projects/${project}/research`, { question: 'Who decides?' }, acme);

const refusal = (limit: number) => ({
  status: 429,
  headers: { 'retry-after': '5' },
  body: { code: 'concurrency_limit', retryable: true, limit },
});

it('lets no more turns begin at once than a workspace may have, on whichever instance; nothing of the others is stored', async () => {
  held = gate();
  const answers = PROJECTS.map((project, place) => ask(project, place));
  const refused: string[] = [];
  const counted = answers.map(async (answer, place) => {
    const { status } = await answer;
    if (status === 429) refused.push(PROJECTS[place] ?? '');
    return status;
  });
  await expect.poll(() => refused.length).toBe(4);
  expect((await usage()).concurrent_turns).toEqual({ used: 2, limit: 2 });
  const [project = ''] = refused;
  expect(await ask(project, 1)).toMatchObject(refusal(2));
  const list = await instances[0].call('GET', `/projects/${project}/turns`, undefined, acme);
  expect(list.body.data).toEqual([]);
  // another workspace has places of its own
  const other = ask('o', 1, tenants.of('other'));
  held.open();
  expect((await other).status).toBe(201);
  expect((await Promise.all(counted)).sort()).toEqual([201, 201, 429, 429, 429, 429]);
  expect((await ask(project)).status).toBe(201);
  expect((await usage()).concurrent_turns).toEqual({ used: 0, limit: 2 });
});

it('counts no turn that its instance has abandoned, and refuses to take it up again as it would another one', async () => {
  held = gate();
  const answers = [ask('a'), ask('b', 1)];
  await expect.poll(async () => (await usage()).concurrent_turns.used).toBe(2);
  // as one whose instance was killed, with a lease that ran out
  await opened.query(
    `insert into turns (workspace_id, project_id, turn_number, status, message, priming, options, locked_by, locked_until)
     select 'acme', 'c', coalesce(max(turn_number), 0) + 1, 'in_progress', 'Hm?', false, '{}', 'gone', now() - interval '1 second'
     from turns where workspace_id = 'acme' and project_id = 'c'`,
  );
  expect((await usage()).concurrent_turns.used).toBe(2);
  const { body } = await instances[0].call('GET', '/projects/c/turns?order=desc&limit=1', undefined, acme);
  const retry = `/projects/c/turns/${body.data[0].turn_number}/retry`;
  expect(await instances[1].call('POST', retry, undefined, acme)).toMatchObject(refusal(2));
  held.open();
  await Promise.all(answers);
  expect((await instances[1].call('POST', retry, undefined, acme)).status).toBe(200);
});

it('does the same with research runs, which are counted by themselves', async () => {
  held = gate();
  const answers = [askResearch('a', 0), askResearch('a', 1), askResearch('b', 1)];
  const refused = answers.map(async (answer) => (await answer).status === 429);
  await Promise.race(refused);
  expect(await askResearch('c')).toMatchObject(refusal(1));
  expect(await usage()).toMatchObject({
    concurrent_turns: { used: 0 },
    concurrent_research: { used: 1, limit: 1 },
  });
  held.open();
  expect((await Promise.all(refused)).sort()).toEqual([false, true, true]);
  expect((await askResearch('c', 1)).status).toBe(201);
});
