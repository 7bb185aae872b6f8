import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';

let forge: TestApp;

beforeEach(async () => {
  forge = await startTestApp();
  await forge.call('POST', '/projects', { id: 'p', name: 'Retention' });
});
afterEach(() => forge.close());

const say = async (message: string) => (await forge.call('POST', '/projects/p/turns', { message })).body;
const state = async () => (await forge.call('GET', '/projects/p/state')).body;

it('records what a newcomer states plainly, and says what it has recorded', async () => {
  const turn = await say('Our decision maker is Dana Reyes. We assume that half of the users would pay.');
  expect(turn.response).toContain('Noted:\n- Decision maker: Dana Reyes\n- Assumption: Half of the users');
  expect(turn.state_changes).toHaveLength(2);
  expect(await state()).toMatchObject({
    skeleton: { decision_maker: { value: 'Dana Reyes', turn: 1 } },
    assumptions: [
      { id: 'a1', statement: 'Half of the users would pay.', confidence: 'guessed', source_turn: 1 },
    ],
  });

  const asked = await say('Who did I say decides?');
  expect(asked.response).toContain('In turn 1 you said: “Our decision maker is Dana Reyes.”');
  expect(asked.state_changes).toEqual([]);
  expect((await say('Where do we stand?')).response).toContain('Assumed: Half of the users would pay.');
});

it('records nothing from questions, doubts and documents', async () => {
  await forge.upload('p', {
    'notes.md': '# Notes\n\nOur decision maker is Mallory.\n\nThe budget is 9 euros.\n',
  });
  for (const message of [
    'Is our decision maker Dana Reyes?',
    'Maybe the decision maker is Dana Reyes.',
    'What do the notes say about the decision maker and the budget?',
    '> The budget is 40,000 euros.',
  ]) {
    expect((await say(message)).state_changes).toEqual([]);
  }
  expect(await state()).toMatchObject({ skeleton: {}, assumptions: [] });
});

it('greets without looking anything up, and lists the files when it is asked for them', async () => {
  await forge.upload('p', { 'notes.md': '# Notes\n\n## People\n\nDana decides on the budget.\n' });
  const hello = await say('hi');
  expect(hello).toMatchObject({ routing: { requires_retrieval: false }, citations: [] });
  expect(hello.response).toMatch(/^Hello!/);
  expect((await say('which files do you have?')).response).toContain(
    'There is 1 file in this project:\n- notes.md',
  );
  const outline = await say('What is in notes.md?');
  expect(outline.response).toContain('Its sections:\n- Notes\n  - People');
});

it('says that the files do not say, and how much it has searched', async () => {
  await forge.upload('p', { 'notes.md': '# Notes\n\nDana decides on the budget.\n' });
  const turn = await say('Who won the football match in Lisbon?');
  expect(turn.response).toMatch(/The files do not say.*\(1 sections? searched\)/);
  expect(turn.citations).toEqual([]);
});
