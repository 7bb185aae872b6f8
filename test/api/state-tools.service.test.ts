import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ROUTE, startKeyedApp } from '../helpers/keyed-app.ts';

// What the state takes from the tool calls of a turn, and what it refuses.

type Call = { name: string; input: object };

let calls: Call[];
let answers: number;
let projects = 0;
let project: string;
let app: Awaited<ReturnType<typeof startKeyedApp>>;
beforeAll(async () => {
  app = await startKeyedApp(() => (answers++ === 0 ? { toolCalls: calls } : { text: 'Noted.' }), {
    ...ROUTE,
    triggered_patterns: [],
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  project = `tools-${++projects}`;
  await app.forge.call('POST', '/projects', { id: project, name: 'P' });
});

const CHURN = '# Churn\n\nEnterprise customers churn at 4.1 percent a quarter.\n';
const LUNCH = '# Lunch\n\nEnterprise customers churn at lunch, where the canteen closes at two.\n';

const register = (input: object): Call => ({
  name: 'register_assumption',
  input: { statement: 'Dana decides alone', confidence: 'guessed', impact: 'high', ...input },
});
const complete = (probe: string): Call => ({ name: 'complete_probe', input: { probe } });

/** A turn in which the model makes these calls, and what it was told of each. */
async function turnWith(...made: Call[]) {
  calls = made;
  answers = 0;
  const { body: turn } = await app.forge.call('POST', `/projects/${project}/turns`, {
    message: 'How many enterprise customers churn?',
  });
  expect(turn.status).toBe('completed');
  const content = app.anthropic.requests
    .filter(({ tools }) => tools)
    .at(-1)
    ?.messages.at(-1)?.content;
  const blocks = typeof content === 'string' ? [] : (content ?? []);
  const told = blocks.flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []));
  return { turn, told };
}
const state = async () => (await app.forge.call('GET', `/projects/${project}/state`)).body;
const patch = (body: object) => app.forge.call('PATCH', `/projects/${project}/state`, body);

it('takes what the user said from no file, though files are shown, and what a call cites from that file', async () => {
  await app.forge.upload(project, { 'churn.md': CHURN, 'lunch.md': LUNCH });
  const { turn } = await turnWith(
    register({ evidence: ['The user: "Dana signs alone."'] }),
    { name: 'update_skeleton', input: { field: 'decision_maker', value: 'Dana' } },
    register({ statement: 'Churn is 4.1 %', confidence: 'validated', cites: [1] }),
    { name: 'update_skeleton', input: { field: 'evidence_base', value: 'The churn report', cites: [1] } },
  );
  const receipt = (await app.forge.call('GET', `/projects/${project}/turns/1/context`)).body;
  const shown = receipt.sections.find(({ name }: { name: string }) => name === 'retrieved_documents');
  expect(shown.items).toHaveLength(2);
  const cited = shown.items[0].filename;
  expect(turn.state_changes.map(({ applied }: { applied: boolean }) => applied)).toEqual(Array(4).fill(true));

  for (const [name, text] of Object.entries({ 'churn.md': CHURN, 'lunch.md': LUNCH })) {
    await app.forge.upload(project, { [name]: `${text}\nRevised.\n` });
  }
  const { assumptions, skeleton } = await state();
  const stale = [{ filename: cited, from_version: 1, to_version: 2 }];
  expect([skeleton.decision_maker.stale, skeleton.evidence_base.stale]).toEqual([[], stale]);
  expect(assumptions).toMatchObject([
    { sources: [], stale: [] },
    { sources: [{ filename: cited, version: 1 }], stale },
  ]);
});

it('registers a statement once, in one round, in a later turn and beside a client', async () => {
  const { turn, told } = await turnWith(register({}), register({ statement: 'DANA decides  alone.' }));
  expect(turn.state_changes).toMatchObject([{ id: 'a1' }, { id: 'a1', already_registered: true }]);
  expect(told[1]).toContain('a1 says this already');
  const again = await turnWith(register({ statement: 'Dana decides alone!', evidence: ['Ines said so'] }));
  expect(again.turn.state_changes).toMatchObject([{ id: 'a1', already_registered: true, applied: true }]);
  const { assumptions } = await state();
  expect(assumptions).toMatchObject([
    { id: 'a1', statement: 'Dana decides alone', evidence: ['Ines said so'], source_turn: 1 },
  ]);
  const refused = await patch({
    assumptions: [...assumptions, { statement: 'dana decides alone', confidence: 'guessed', impact: 'low' }],
  });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/assumptions/1/statement']);
  expect((await state()).assumptions).toHaveLength(1);
});

it('validates nothing without evidence, and tells the model what is missing', async () => {
  const validate = { name: 'update_assumption', input: { id: 'a1', confidence: 'validated' } };
  const { turn, told } = await turnWith(
    register({ confidence: 'validated' }),
    register({ confidence: 'validated', cites: [7] }),
    register({}),
    validate,
  );
  expect(turn.state_changes).toHaveLength(1);
  expect((await state()).assumptions).toMatchObject([{ id: 'a1', confidence: 'guessed' }]);
  for (const at of [0, 1, 3]) expect(told[at]).toMatch(/^Not done\. .*`evidence`.*`cites`/);
  const evidence = ['The user: "I signed the last four alone."'];
  await turnWith({ ...validate, input: { ...validate.input, evidence } });
  const { assumptions } = await state();
  expect(assumptions).toMatchObject([{ confidence: 'validated', evidence }]);
  const refused = await patch({ assumptions: [{ ...assumptions[0], id: 'a2', evidence: [] }] });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/assumptions/0/evidence']);
});

it('completes only a probe that was asked in this mode, once', async () => {
  const { turn, told } = await turnWith(
    complete('temporal-trigger'),
    complete('sustainability'),
    complete('charisma'),
    complete('stakeholder-mapping'),
    complete('stakeholder-mapping'),
  );
  expect(told.map((text) => text.split('. ')[1])).toEqual([
    '"temporal-trigger" was never asked',
    '"sustainability" is no probe of the mode discovery, which is active',
    'There is no probe "charisma"',
    undefined,
    '"stakeholder-mapping" is complete already',
  ]);
  expect(told[0]).toContain('What can be completed now: stakeholder-mapping.');
  expect(turn.state_changes).toEqual([
    { tool: 'complete_probe', applied: true, probe: 'stakeholder-mapping' },
  ]);
  expect((await state()).routing.probes_completed).toEqual(['stakeholder-mapping']);
});

it('sends the whole register even with a filler, and its receipt says by how much that raised the budget', async () => {
  const assumptions = Array.from({ length: 60 }, (_, i) => ({
    statement: `Region ${i} loses customers because its invoices arrive after the quarter has been closed there`,
    confidence: 'guessed',
    impact: 'low',
    evidence: [`A note of the region's controller on quarter ${i}, which nobody has checked so far`],
  }));
  expect((await patch({ assumptions })).status).toBe(200);
  calls = [];
  answers = 1;
  const say = (options: object) =>
    app.forge.call('POST', `/projects/${project}/turns`, { message: 'yes', retrieval: 'never', ...options });
  const { body: turn } = await say({});
  const receipt = (await app.forge.call('GET', `/projects/${project}/turns/1/context`)).body;
  const register = receipt.sections.find(({ name }: { name: string }) => name === 'register');
  expect(register.items).toHaveLength(60);
  expect(receipt.budget_raised_by).toBeGreaterThan(0);
  expect(turn.context.budget).toBe(receipt.budget);
  expect(receipt.tokens).toBeLessThanOrEqual(receipt.budget);
  // a caller who limits the turn gets what fits
  const limited = (await say({ limits: { max_input_tokens: 4_500 } })).body;
  expect(limited.status).toBe('completed');
  expect(limited.context.dropped.some(({ section }: { section: string }) => section === 'register')).toBe(
    true,
  );
});
