import { afterEach, expect, it } from 'vitest';
import { ROUTE, startKeyedApp } from '../helpers/keyed-app.ts';

let app: Awaited<ReturnType<typeof startKeyedApp>> | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

const FIRST = '# Churn\n\nEnterprise customers churn at 4.1 percent a quarter.\n';
const SECOND = '# Churn\n\nEnterprise customers churn at 6.5 percent a quarter.\n';
const OTHER = '# Lunch\n\nThe canteen closes at two. Enterprise customers may not eat there.\n';

const register = {
  toolCalls: [
    {
      name: 'register_assumption',
      input: { statement: 'Churn is 4.1 %', confidence: 'validated', impact: 'high' },
    },
    { name: 'update_skeleton', input: { field: 'problem_statement', value: 'Churn of 4.1 %.' } },
  ],
};
const confirm = {
  toolCalls: [{ name: 'update_assumption', input: { id: 'a1', statement: 'Churn is 6.5 %' } }],
};
const say = (text: string) => ({ text });

const cause = (from_version: number, to_version: number | null) => ({
  filename: 'churn.md',
  from_version,
  to_version,
});

it('marks what rests on a file that has changed, tells the model and the caller, until it is confirmed', async () => {
  const script = [
    register,
    say('It is 4.1 percent [1].'),
    say('It may have changed.'),
    confirm,
    say('Now 6.5 percent [1].'),
    say('Fine.'),
  ];
  app = await startKeyedApp((_request, index) => script[index] ?? say('?'), {
    ...ROUTE,
    triggered_patterns: [],
    relevant_files: ['churn.md'],
  });
  const { forge, anthropic } = app;
  const stale = async () => (await forge.call('GET', '/projects/p/staleness')).body.data;
  await forge.upload('p', { 'churn.md': FIRST, 'lunch.md': OTHER });

  const first = (await app.say('How many enterprise customers churn?')).body;
  expect(first.citations).toMatchObject([{ filename: 'churn.md', version: 1 }]);
  expect(first.used_stale).toEqual([]);
  const { assumptions } = (await forge.call('GET', '/projects/p/state')).body;
  // the other file was sent too, but only this one was cited
  expect(assumptions[0]).toMatchObject({ sources: [{ filename: 'churn.md', version: 1 }], stale: [] });
  expect(await stale()).toEqual([]);

  await forge.upload('p', { 'churn.md': SECOND });
  expect(await stale()).toEqual([
    { object: 'stale_item', kind: 'assumption', id: 'a1', text: 'Churn is 4.1 %', causes: [cause(1, 2)] },
    {
      object: 'stale_item',
      kind: 'skeleton_field',
      id: 'problem_statement',
      text: 'Churn of 4.1 %.',
      causes: [cause(1, 2)],
    },
  ]);

  const second = (await app.say('What do we know?')).body;
  expect(second.used_stale).toEqual([
    { kind: 'assumption', id: 'a1', causes: [cause(1, 2)] },
    { kind: 'skeleton_field', id: 'problem_statement', causes: [cause(1, 2)] },
  ]);
  const receipt = (await forge.call('GET', '/projects/p/turns/2/context')).body;
  expect(receipt.used_stale).toEqual(second.used_stale);
  const sent = JSON.stringify(anthropic.requests.filter(({ tools }) => tools).at(-1)?.system);
  expect(sent).toContain('STALE, confirm or correct it: churn.md is now version 2, this is from version 1');

  await app.say('It is 6.5 percent now.');
  expect((await stale()).map(({ id }: { id: string }) => id)).toEqual(['problem_statement']);
  await forge.call('PATCH', '/projects/p/state', { skeleton: { problem_statement: 'Churn of 6.5 %.' } });
  expect(await stale()).toEqual([]);
  expect((await app.say('Thanks, what next?')).body.used_stale).toEqual([]);

  await forge.call('DELETE', '/projects/p/files/churn.md');
  expect(await stale()).toMatchObject([{ id: 'a1', causes: [cause(2, null)] }]);
  expect((await forge.call('GET', '/projects/none/staleness')).status).toBe(404);
});
