import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/db/database.ts';
import { findTurnSummary } from '../../../src/db/turn-summaries.ts';
import { fakeLanguageModel, routeReply } from '../../fakes/language-model.ts';
import { openTestDatabase } from '../../helpers/database.ts';
import { REGISTER, SAY, turnBench } from '../../helpers/turns.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const sonnet = (...script: Parameters<typeof fakeLanguageModel>) =>
  fakeLanguageModel(script[0], 'claude-sonnet-4-5');
const haiku = (text: string) => fakeLanguageModel(() => ({ text }), 'claude-haiku-4-5');

it('sums a turn up by an extract, and says so, when its cost leaves nothing for the model', async () => {
  const usage = { inputTokens: 5_000, outputTokens: 950 };
  const summary = haiku('A summary.');
  const bench = await turnBench(db, {
    answer: sonnet(() => ({ text: 'Marta owns it. She decides in May.', usage })),
    router: haiku(routeReply()),
    summary,
  });
  const limits = { max_cost_usd: 0.03 };
  const turn = await (await bench.service.startTurn(bench.scope, { ...SAY, message: 'Who owns it?', limits }))
    .done;
  expect(turn.usage?.cost_usd).toBeCloseTo(0.0294, 3);
  await bench.runJobs();
  expect(summary.requests).toEqual([]);
  expect(await findTurnSummary(db, bench.scope, 1)).toMatchObject({
    source: 'extract',
    summary: 'User: Who owns it? Copilot: Marta owns it.',
  });
  const applied = { limit: 'max_cost_usd', setting: 'summary', from: 1, to: 0 };
  expect((await bench.service.getTurn(bench.scope, 1)).limits_applied).toContainEqual(applied);
  expect((await bench.service.getContext(bench.scope, 1))?.limits_applied).toContainEqual(applied);
});

it('closes a turn without its tool rounds when their results would not fit the prompt any more', async () => {
  const long = { ...REGISTER, input: { ...REGISTER.input, evidence: ['x '.repeat(900)] } };
  const answer = fakeLanguageModel((_, call) =>
    call === 0
      ? { toolCalls: [long], usage: { inputTokens: 4_000, outputTokens: 1_900 } }
      : { text: 'Noted.' },
  );
  const bench = await turnBench(db, { answer });
  const limits = { max_input_tokens: 5_000 };
  const turn = await (
    await bench.service.startTurn(bench.scope, { ...SAY, message: 'Sales will use it.', limits })
  ).done;
  expect(turn).toMatchObject({ status: 'completed', response: 'Noted.' });
  expect(turn.state_changes).toMatchObject([{ tool: 'register_assumption', applied: true }]);
  const [first, last] = answer.requests;
  expect(last?.toolChoice).toBe('none');
  expect(last?.messages).toHaveLength(first?.messages.length ?? 0);
  expect(JSON.stringify(last?.messages.at(-1))).toContain('Your changes to the state have been made.');
  expect(turn.limits_applied).toContainEqual({
    limit: 'max_input_tokens',
    setting: 'tool_rounds',
    from: 4,
    to: 2,
  });
});

it('tells when the provider counted more than the limit in spite of everything', async () => {
  const answer = fakeLanguageModel(() => ({ text: 'Yes.', usage: { inputTokens: 6_000 } }));
  const bench = await turnBench(db, { answer });
  const limits = { max_input_tokens: 5_000 };
  const turn = await (await bench.service.startTurn(bench.scope, { ...SAY, message: 'Sure?', limits })).done;
  expect(turn.limits_applied).toContainEqual({
    limit: 'max_input_tokens',
    setting: 'exceeded',
    from: 5_000,
    to: 6_000,
  });
});

it('learns from a provider that counts more, and sends less from then on', async () => {
  const answer = fakeLanguageModel((request) => {
    const text = JSON.stringify([request.system, request.messages, request.tools]);
    return { text: 'Yes.', usage: { inputTokens: Math.ceil(text.length / 3) } };
  });
  const bench = await turnBench(db, { answer });
  for (const message of ['One.', 'Two.', 'Three.']) await bench.say(message);
  const receipts = await Promise.all([1, 2, 3].map((n) => bench.service.getContext(bench.scope, n)));
  expect(receipts.map((receipt) => receipt?.budget)[0]).toBe(12_000);
  expect(receipts[2]?.budget).toBeLessThan(12_000);
  const [, , last] = receipts;
  const estimate = (last?.tokens ?? 0) * (last?.token_factor ?? 0);
  const reported = last?.usage.by_phase.answer?.input_tokens ?? 1;
  expect(Math.abs(estimate / reported - 1)).toBeLessThan(0.05);
});
